//! Which certificates of referees are trusted, and what to tell a user whose referee's is not.
//!
//! Players (`epode client`) and observers (`epode-referee observe`) connect to a referee by TLS with the settings of
//! [`config`]. They verify as `WebPKI` does, with two exceptions: certificates that `openssl req -x509` has made, and
//! a certificate that is trusted whatever its names are ([`Trust::Pinned`]).

#![forbid(unsafe_code)]

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use epd::protocol::printable;
use jiff::Timestamp;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};

/// Which certificates are trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Those that the system's authorities have signed.
    System,
    /// Those in a file, and those that they have signed.
    File(PathBuf),
    /// The first one in a file and no other, whatever its names and dates are.
    Pinned(PathBuf),
}

/// The settings of connections that trust these certificates.
pub fn config(trust: &Trust) -> anyhow::Result<ClientConfig> {
    let provider = Arc::new(ring::default_provider());
    let verifier = Verifier::new(trust, Arc::clone(&provider))?;
    let config = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])?
        // The verifier below is WebPKI's but for what it says.
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(config)
}

/// The name that the certificate of the referee at `HOST:PORT` must have, unless it is said.
pub fn server_name(address: &str, said: Option<&str>) -> anyhow::Result<ServerName<'static>> {
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let name = said.unwrap_or(host);
    ServerName::try_from(name.to_owned())
        .map_err(|_| anyhow::anyhow!("{name:?} is not the name of a host"))
}

/// Verifies the certificate of a referee.
#[derive(Debug)]
struct Verifier {
    /// By authorities; none if only the certificates of a file are trusted, whatever their names are.
    authorities: Option<Arc<WebPkiServerVerifier>>,
    /// The certificates of a file.
    known: Vec<CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
}

impl Verifier {
    fn new(trust: &Trust, provider: Arc<CryptoProvider>) -> anyhow::Result<Self> {
        let (roots, known) = match trust {
            Trust::System => (Some(system_roots()?), Vec::new()),
            Trust::File(path) => {
                let known = read_certificates(path)?;
                let mut roots = RootCertStore::empty();
                for certificate in &known {
                    let added = roots.add(certificate.clone());
                    added.with_context(|| format!("{} is damaged", path.display()))?;
                }
                (Some(roots), known)
            }
            Trust::Pinned(path) => {
                let mut known = read_certificates(path)?;
                // A chain begins with the referee's own certificate.
                known.truncate(1);
                (None, known)
            }
        };
        let authorities = roots.map(|roots| {
            let provider = Arc::clone(&provider);
            WebPkiServerVerifier::builder_with_provider(roots.into(), provider).build()
        });
        Ok(Self {
            authorities: authorities.transpose()?,
            known,
            provider,
        })
    }
}

/// The certificates of the authorities that the system trusts.
fn system_roots() -> anyhow::Result<RootCertStore> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    // Systems have a few that are old or odd.
    let (used, _) = roots.add_parsable_certificates(found.certs);
    if used == 0 {
        let why = found.errors.first();
        let why = why.map_or(String::new(), |error| format!(" ({error})"));
        bail!(
            "this system has no certificates of authorities{why}; name the referee's by --ca FILE"
        );
    }
    Ok(roots)
}

/// The certificates of a file in PEM form, at least one.
pub fn read_certificates(path: &Path) -> anyhow::Result<Vec<CertificateDer<'static>>> {
    let bytes = std::fs::read(path);
    let bytes = bytes.with_context(|| format!("cannot read {}", path.display()))?;
    let certificates = CertificateDer::pem_slice_iter(&bytes).collect::<Result<Vec<_>, _>>();
    let certificates = certificates.with_context(|| format!("{} is damaged", path.display()))?;
    if certificates.is_empty() {
        bail!(
            "{} has no certificate, expected one that begins with -----BEGIN CERTIFICATE-----",
            path.display()
        );
    }
    Ok(certificates)
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        chain: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let is_known = self.known.contains(certificate);
        let Some(authorities) = &self.authorities else {
            let unknown = CertificateError::UnknownIssuer;
            return is_known
                .then(ServerCertVerified::assertion)
                .ok_or(unknown.into());
        };
        match authorities.verify_server_cert(certificate, chain, name, ocsp, now) {
            // `openssl req -x509` marks the certificates that it makes as those of an authority, which
            // WebPKI does not take from a server. The dates have been verified before.
            Err(Error::InvalidCertificate(CertificateError::Other(_))) if is_known => {
                let certificate = ParsedCertificate::try_from(certificate)?;
                rustls::client::verify_server_name(&certificate, name)?;
                Ok(ServerCertVerified::assertion())
            }
            // An authority of the same name, but another one: so it is with two certificates that
            // machines of one name have signed themselves.
            Err(Error::InvalidCertificate(CertificateError::BadSignature)) => {
                Err(CertificateError::UnknownIssuer.into())
            }
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        let algorithms = &self.provider.signature_verification_algorithms;
        algorithms.supported_schemes()
    }
}

/// What is wrong with the certificate of a referee, and what to do about it.
#[must_use]
pub fn explain(error: &CertificateError, trust: &Trust) -> String {
    use CertificateError as E;
    let date = |time: &UnixTime| {
        let time = i64::try_from(time.as_secs()).ok();
        let time = time.and_then(|seconds| Timestamp::from_second(seconds).ok());
        time.map_or("an unknown date".to_owned(), |time| {
            time.strftime("%Y-%m-%d %H:%M UTC").to_string()
        })
    };
    match error {
        E::NotValidForNameContext {
            expected,
            presented,
        } => format!(
            "the referee's certificate is for {}, not for {}; connect by a name that it has, or name it by \
             --server-name",
            names(presented),
            expected.to_str()
        ),
        E::ExpiredContext { time, not_after } => format!(
            "the referee's certificate expired on {} (this machine's clock says {}); the referee needs a new one",
            date(not_after),
            date(time)
        ),
        E::NotValidYetContext { time, not_before } => format!(
            "the referee's certificate is not valid before {} (this machine's clock says {})",
            date(not_before),
            date(time)
        ),
        E::UnknownIssuer => match trust {
            Trust::System => "the referee's certificate is signed by no authority that this system trusts; if \
                              it is the referee's own, get a copy of it from the organiser for --ca FILE"
                .to_owned(),
            Trust::File(path) | Trust::Pinned(path) => format!(
                "the referee's certificate is not in {path} and not signed by one that is: {path} is out of \
                 date, or this is another referee",
                path = path.display()
            ),
        },
        // Of the handshake.
        E::BadSignature => {
            "whoever answers shows the referee's certificate, but does not have its key".to_owned()
        }
        other => format!("the referee's certificate is not valid: {other}"),
    }
}

/// The names of a certificate: `localhost, 10.0.0.7`.
fn names(presented: &[String]) -> String {
    // They come as `DnsName("localhost")`, `IpAddress(10.0.0.7)`.
    let bare = presented.iter().map(|name| {
        let name = name.split_once('(').map_or(&**name, |(_, name)| name);
        let name = name.trim_end_matches(')').trim_matches('"');
        let address = name.parse::<IpAddr>();
        address.map_or_else(
            |_| printable(name).to_string(),
            |address| address.to_string(),
        )
    });
    let bare: Vec<_> = bare.collect();
    match &bare[..] {
        [] => "no host at all (it has no subjectAltName)".to_owned(),
        names => names.join(", "),
    }
}
