//! TLS to another referee, for an observer.

use std::fmt;
use std::sync::Arc;

use rustls::Error;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use trust::Trust;

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
    /// For the referee at `HOST:PORT`, whose certificate must have that name unless another one is said.
    pub fn new(trust: &Trust, address: &str, server_name: Option<&str>) -> anyhow::Result<Self> {
        Ok(Self {
            connector: Arc::new(trust::config(trust)?).into(),
            name: trust::server_name(address, server_name)?,
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
