//! Connections are opened.

use std::sync::Arc;

use tokio::sync::OwnedSemaphorePermit;

use super::Server;
use crate::core::event::{LinkId, Peer};
use crate::io::connection::Connection;
use crate::io::inbox::Inbox;
use crate::io::stream::Stream;
use crate::io::tls::Handshake;

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
