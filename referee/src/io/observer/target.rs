//! Connections to a referee.

use std::io;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::io::connector::{Connector, Duplex, is_final};
use crate::io::stream::set_options;

/// How long an attempt to connect may take.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// The longest line that is read from a referee, in bytes.
pub(super) const MAX_LINE: usize = 1 << 16;

/// Where a referee is.
#[derive(Clone, Debug)]
pub struct Target {
    /// `HOST:PORT`.
    pub address: String,
    /// For TLS, if it is used.
    pub connector: Option<Connector>,
}

/// Why a connection could not be made.
#[derive(Debug)]
pub enum NoConnection {
    /// Nobody listens at the address.
    Refused,
    /// Nobody answers in time, or not as expected.
    Unreachable(io::Error),
    /// Another attempt would end the same.
    Final(io::Error),
}

impl Target {
    /// Connects.
    pub async fn connect(&self) -> Result<Box<dyn Duplex>, NoConnection> {
        let connected = timeout(CONNECT_TIMEOUT, self.try_connect()).await;
        connected.unwrap_or_else(|_| {
            let why = io::Error::new(io::ErrorKind::TimedOut, "no answer");
            Err(NoConnection::Unreachable(why))
        })
    }

    async fn try_connect(&self) -> Result<Box<dyn Duplex>, NoConnection> {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::ConnectionRefused => NoConnection::Refused,
            _ => NoConnection::Unreachable(error),
        };
        let stream = TcpStream::connect(&self.address).await.map_err(failed)?;
        set_options(&stream, Duration::from_secs(5)).map_err(failed)?;
        match &self.connector {
            None => Ok(Box::new(stream)),
            Some(connector) => match connector.connect(stream).await {
                Ok(stream) => Ok(Box::new(stream)),
                Err(error) if is_final(&error) => Err(NoConnection::Final(error)),
                Err(error) => Err(NoConnection::Unreachable(error)),
            },
        }
    }
}
