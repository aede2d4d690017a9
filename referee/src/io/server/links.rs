//! Connections are accepted and opened.

use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Server;
use crate::core::event::{LinkId, Peer};
use crate::io::connection::Connection;
use crate::io::inbox::Inbox;
use crate::io::message::Incoming;
use crate::io::stream::{Stream, set_options};
use crate::io::tls::{Handshake, Identity};

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

impl Server {
    pub(super) fn open(
        &mut self,
        stream: Stream,
        peer: Peer,
        permit: OwnedSemaphorePermit,
    ) -> LinkId {
        let id = self.next_link();
        let who = self.event.peer_text(peer);
        let inbox = self.inbox_for(peer);
        let opened = Connection::open(id, stream, who, inbox, permit);
        self.connections.insert(id, opened);
        id
    }

    pub(super) fn open_tls(
        &mut self,
        handshake: Handshake,
        peer: Peer,
        permit: OwnedSemaphorePermit,
    ) -> LinkId {
        let id = self.next_link();
        let who = self.event.peer_text(peer);
        let inbox = self.inbox_for(peer);
        let opened = Connection::open_tls(id, handshake, who, inbox, permit);
        self.connections.insert(id, opened);
        id
    }

    fn inbox_for(&self, peer: Peer) -> Inbox {
        let sender = self.sender.clone();
        match peer {
            Peer::Dedicated { .. } | Peer::Program(_) => Inbox::for_player(sender),
            Peer::Address(_) => Inbox::for_stranger(sender, Arc::clone(&self.turns)),
        }
    }

    const fn next_link(&mut self) -> LinkId {
        self.next_connection += 1;
        self.next_connection
    }
}
