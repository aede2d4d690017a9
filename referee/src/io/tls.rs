//! TLS: the certificate of an event, and the handshake with a peer.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use epd::protocol::secret;
use jiff::Timestamp;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier as _;
use rustls::crypto::ring;
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::NoServerSessionStorage;
use rustls::{AlertDescription, CertificateError, Error, RootCertStore, ServerConfig};
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_rustls::TlsAcceptor;
use trust::read_certificates;

use crate::core::config::TlsFiles;
use crate::io::stream::Stream;

/// How long a handshake may take.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// Time between the beginnings of two handshakes. Each takes about 1 ms of the server's only thread:
/// strangers who connect as fast as they can must not slow down the games.
const HANDSHAKE_PAUSE: Duration = Duration::from_millis(5);
/// What the first record of a peer begins with that speaks TLS: a handshake of version 3.x. No line of
/// EPD begins with such a character.
pub const HELLO: [u8; 2] = [0x16, 3];
/// Why a peer that speaks TLS is turned away by an event without.
pub const NO_TLS: &str = "TLS, which this event does not use (see `tls` in its file)";
const PLAIN_TEXT: &str = "plain text, but this event uses TLS: connect with --tls";

/// The certificate of an event and its key.
#[derive(Clone)]
pub struct Identity {
    acceptor: TlsAcceptor,
    /// When the next handshake may begin.
    next: Arc<Mutex<Instant>>,
    chain: Vec<CertificateDer<'static>>,
    certificate: PathBuf,
    key: PathBuf,
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity").finish_non_exhaustive()
    }
}

impl Identity {
    /// Reads the files that an event file in `folder` names.
    pub fn load(files: &TlsFiles, folder: &Path) -> anyhow::Result<Self> {
        let certificate = folder.join(&files.certificate);
        let key = folder.join(&files.key);
        let chain = read_certificates(&certificate)?;
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_protocol_versions(&[&rustls::version::TLS13])?
            .with_no_client_auth()
            .with_single_cert(chain.clone(), read_key(&key)?)
            .with_context(|| {
                let (key, certificate) = (key.display(), certificate.display());
                format!("{key} does not go with {certificate}")
            })?;
        // Connections are few and long: resuming earlier ones would save nothing.
        config.session_storage = Arc::new(NoServerSessionStorage {});
        config.send_tls13_tickets = 0;
        Ok(Self {
            acceptor: Arc::new(config).into(),
            next: Arc::new(Mutex::new(Instant::now())),
            chain,
            certificate,
            key,
        })
    }

    /// The file of the certificate.
    #[must_use]
    pub fn certificate(&self) -> &Path {
        &self.certificate
    }

    /// What is wrong with the files, though the event can be run.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let key = fs::metadata(&self.key).ok();
        let key = key.and_then(|metadata| secret::warning(&self.key, &metadata));
        let date = self.invalid_date().map(|why| {
            let path = self.certificate.display();
            format!("players refuse the certificate {path}: {why}")
        });
        key.into_iter().chain(date).collect()
    }

    /// Why players would refuse the certificate today, if so.
    fn invalid_date(&self) -> Option<String> {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(self.chain.iter().cloned());
        let provider = Arc::new(ring::default_provider());
        let verifier = WebPkiServerVerifier::builder_with_provider(roots.into(), provider);
        let name = ServerName::try_from("localhost").ok()?;
        let (first, rest) = self.chain.split_first()?;
        // The dates are verified before all else. Who has signed it, and for which names, is for the
        // players to judge.
        let verified =
            verifier
                .build()
                .ok()?
                .verify_server_cert(first, rest, &name, &[], UnixTime::now());
        match verified {
            Err(Error::InvalidCertificate(CertificateError::ExpiredContext {
                not_after, ..
            })) => Some(format!("it expired on {}", date(not_after))),
            Err(Error::InvalidCertificate(CertificateError::NotValidYetContext {
                not_before,
                ..
            })) => Some(format!("it is not valid before {}", date(not_before))),
            _ => None,
        }
    }

    /// A handshake with a peer. Afterwards the peer counts as gone when it does not take a line within
    /// `patience`.
    #[must_use]
    pub fn handshake(&self, socket: TcpStream, patience: Duration) -> Handshake {
        Handshake {
            acceptor: self.acceptor.clone(),
            next: Arc::clone(&self.next),
            socket,
            patience,
        }
    }
}

fn date(time: UnixTime) -> String {
    let seconds = i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
    let time = Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX);
    time.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

fn read_key(path: &Path) -> anyhow::Result<PrivateKeyDer<'static>> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    PrivateKeyDer::from_pem_slice(&bytes).map_err(|error| match error {
        pem::Error::NoItemsFound => anyhow::anyhow!(
            "{} has no private key, expected one without a passphrase that begins with -----BEGIN PRIVATE KEY-----",
            path.display()
        ),
        error => anyhow::anyhow!("{} is damaged: {error}", path.display()),
    })
}

/// A TLS handshake that has not been made yet.
pub struct Handshake {
    acceptor: TlsAcceptor,
    next: Arc<Mutex<Instant>>,
    socket: TcpStream,
    patience: Duration,
}

impl fmt::Debug for Handshake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handshake").finish_non_exhaustive()
    }
}

/// How a handshake ended.
#[derive(Debug)]
pub enum Outcome {
    /// The connection is encrypted.
    Secured(Stream),
    /// The peer is to be turned away for this reason, which the stream, if there is one, can carry.
    Refused(String, Option<Stream>),
    /// The peer closed the connection before it sent anything.
    Gone,
}

impl Handshake {
    /// Makes the handshake.
    pub async fn complete(self) -> Outcome {
        let limit = HANDSHAKE_TIMEOUT;
        let outcome = timeout(limit, self.accept()).await;
        outcome.unwrap_or_else(|_| {
            let why = format!("no TLS handshake within {} s", limit.as_secs());
            Outcome::Refused(why, None)
        })
    }

    async fn accept(self) -> Outcome {
        let mut first = [0];
        match self.socket.peek(&mut first).await {
            Ok(1..) if first[0] == HELLO[0] => {}
            Ok(1..) => {
                let (read, write) = self.socket.into_split();
                let plain = Stream::other(read, write, self.patience);
                return Outcome::Refused(PLAIN_TEXT.to_owned(), Some(plain));
            }
            Ok(_) | Err(_) => return Outcome::Gone,
        }
        wait_for_turn(&self.next).await;
        match self.acceptor.accept(self.socket).await {
            Ok(stream) => {
                let (read, write) = tokio::io::split(stream);
                Outcome::Secured(Stream::other(read, write, self.patience))
            }
            Err(error) => Outcome::Refused(explain(&error), None),
        }
    }
}

/// Handshakes begin one after the other, in the order in which they were asked for.
async fn wait_for_turn(next: &Mutex<Instant>) {
    let mut next = next.lock().await;
    sleep_until(*next).await;
    *next = Instant::now() + HANDSHAKE_PAUSE;
}

/// Why a handshake failed.
fn explain(error: &io::Error) -> String {
    let inner = error.get_ref().and_then(|error| error.downcast_ref());
    let why = match inner {
        Some(Error::AlertReceived(AlertDescription::UnknownCA)) => {
            "the player does not know who signed the certificate; it needs --ca".to_owned()
        }
        Some(Error::AlertReceived(AlertDescription::CertificateExpired)) => {
            "the certificate has expired, says the player".to_owned()
        }
        Some(Error::AlertReceived(AlertDescription::BadCertificate)) => {
            "the player does not accept the certificate, perhaps because of its names".to_owned()
        }
        Some(error) => error.to_string(),
        None => error.to_string(),
    };
    format!("TLS handshake: {why}")
}
