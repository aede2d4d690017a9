//! TLS to another referee: which certificates an observer trusts.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::io::tls::read_chain;

/// How to know a referee by its certificate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    /// A file with the certificates that are trusted; by default those of the system's authorities.
    pub ca: Option<PathBuf>,
    /// The name that the certificate must have, if it is not the host.
    pub server_name: Option<String>,
}

/// Makes TLS connections to one referee.
#[derive(Clone)]
pub struct Connector {
    connector: TlsConnector,
    name: ServerName<'static>,
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connector").finish_non_exhaustive()
    }
}

/// A byte stream in both directions.
pub trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

impl Connector {
    /// For the referee at `HOST:PORT`.
    pub fn new(trust: &Trust, address: &str) -> anyhow::Result<Self> {
        let provider = Arc::new(ring::default_provider());
        let verifier = Verifier::new(trust.ca.as_deref(), Arc::clone(&provider))?;
        let config = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&rustls::version::TLS13])?
            // The verifier below is WebPKI's but for one exception.
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth();
        let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let name = trust.server_name.as_deref().unwrap_or(host);
        let name = ServerName::try_from(name.to_owned())
            .map_err(|_| anyhow::anyhow!("{name:?} is not the name of a host"))?;
        Ok(Self {
            connector: Arc::new(config).into(),
            name,
        })
    }

    /// Makes the handshake.
    pub async fn connect(&self, socket: TcpStream) -> std::io::Result<impl Duplex + use<>> {
        self.connector.connect(self.name.clone(), socket).await
    }
}

/// Whether a failed handshake would fail again, because of the certificate.
#[must_use]
pub fn is_final(error: &std::io::Error) -> bool {
    let inner = error.get_ref().and_then(|error| error.downcast_ref());
    matches!(
        inner,
        Some(Error::InvalidCertificate(_) | Error::InvalidMessage(_))
    )
}

/// Verifies the certificate of a referee.
#[derive(Debug)]
struct Verifier {
    authorities: Arc<WebPkiServerVerifier>,
    /// The certificates of a file.
    known: Vec<CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
}

impl Verifier {
    fn new(ca: Option<&Path>, provider: Arc<CryptoProvider>) -> anyhow::Result<Self> {
        let mut roots = RootCertStore::empty();
        let mut known = Vec::new();
        if let Some(path) = ca {
            known = read_chain(path)?;
            for certificate in &known {
                let added = roots.add(certificate.clone());
                added.with_context(|| format!("{} is damaged", path.display()))?;
            }
        } else {
            // Systems have a few that are old or odd.
            let found = rustls_native_certs::load_native_certs().certs;
            if roots.add_parsable_certificates(found).0 == 0 {
                bail!(
                    "this system has no certificates of authorities; name the referee's by --ca FILE"
                );
            }
        }
        let authorities =
            WebPkiServerVerifier::builder_with_provider(roots.into(), Arc::clone(&provider));
        Ok(Self {
            authorities: authorities.build()?,
            known,
            provider,
        })
    }
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
        match self
            .authorities
            .verify_server_cert(certificate, chain, name, ocsp, now)
        {
            // `openssl req -x509` marks the certificates that it makes as those of an authority, which
            // WebPKI does not take from a server. The dates have been verified before.
            Err(Error::InvalidCertificate(CertificateError::Other(_)))
                if self.known.contains(certificate) =>
            {
                let certificate = ParsedCertificate::try_from(certificate)?;
                rustls::client::verify_server_name(&certificate, name)?;
                Ok(ServerCertVerified::assertion())
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
