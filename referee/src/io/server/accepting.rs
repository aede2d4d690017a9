//! Connections are accepted.

use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::io::inbox::Inbox;
use crate::io::message::Incoming;
use crate::io::stream::{Stream, set_options};
use crate::io::tls::Identity;

/// Accepts connections as long as sockets are free.
pub(super) async fn accept(
    listener: TcpListener,
    ping: Duration,
    identity: Option<Identity>,
    inbox: Inbox,
    free_sockets: Arc<Semaphore>,
) {
    while let Ok(permit) = Arc::clone(&free_sockets).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, peer)) => {
                if set_options(&stream, ping).is_err() {
                    // The peer has closed the connection already.
                    continue;
                }
                let opened = match &identity {
                    Some(identity) => {
                        Incoming::OpenedTls(identity.handshake(stream, ping), peer.into(), permit)
                    }
                    None => Incoming::Opened(Stream::tcp(stream), peer.into(), permit),
                };
                if inbox.send(opened).await.is_err() {
                    return;
                }
            }
            // Most likely there are too many open files; try again when some are closed.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}
