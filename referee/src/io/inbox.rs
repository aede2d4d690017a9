//! The way of a connection into the server's queue.
//!
//! Strangers, who have not signed on, take turns: only one input of theirs is in the queue at a time,
//! however many of them there are. So a player's move waits for the handling of one such input at most.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Semaphore;
use tokio::sync::mpsc::Sender;

use crate::io::message::Incoming;

/// Sends the input of one connection to the server.
#[derive(Clone, Debug)]
pub struct Inbox {
    queue: Sender<Incoming>,
    turns: Arc<Semaphore>,
    is_player: Arc<AtomicBool>,
}

/// The server has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended;

impl Inbox {
    /// For strangers, who share the one permit of `turns`.
    #[must_use]
    pub fn for_stranger(queue: Sender<Incoming>, turns: Arc<Semaphore>) -> Self {
        Self {
            queue,
            turns,
            is_player: Arc::default(),
        }
    }

    /// For a player.
    #[must_use]
    pub fn for_player(queue: Sender<Incoming>) -> Self {
        let inbox = Self::for_stranger(queue, Arc::new(Semaphore::new(1)));
        inbox.admit();
        inbox
    }

    /// The stranger has signed on: its input takes turns no more.
    pub fn admit(&self) {
        self.is_player.store(true, Ordering::Relaxed);
    }

    /// Whether the input takes no turns.
    #[must_use]
    pub fn is_admitted(&self) -> bool {
        self.is_player.load(Ordering::Relaxed)
    }

    /// Sends an input as soon as it is its turn and there is room.
    pub async fn send(&self, incoming: Incoming) -> Result<(), Ended> {
        let incoming = if self.is_player.load(Ordering::Relaxed) {
            incoming
        } else {
            let turn = Arc::clone(&self.turns).acquire_owned().await;
            Incoming::Stranger(Box::new(incoming), turn.map_err(|_| Ended)?)
        };
        self.queue.send(incoming).await.map_err(|_| Ended)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::mpsc::channel;

    /// A second stranger waits until the first one's input has been handled; a player does not.
    #[tokio::test]
    async fn strangers_take_turns() {
        let (queue, mut incoming) = channel(16);
        let turns = Arc::new(Semaphore::new(1));
        let [one, two] = [1, 2].map(|link| {
            let inbox = Inbox::for_stranger(queue.clone(), Arc::clone(&turns));
            tokio::spawn(async move { inbox.send(Incoming::Closed(link)).await })
        });
        let first = incoming.recv().await;
        assert!(matches!(&first, Some(Incoming::Stranger(..))), "{first:?}");
        let player = Inbox::for_player(queue.clone());
        assert_eq!(player.send(Incoming::Closed(3)).await, Ok(()));
        let next = incoming.recv().await;
        assert!(matches!(next, Some(Incoming::Closed(3))), "{next:?}");
        assert!(incoming.try_recv().is_err(), "the first one is not handled");
        drop(first);
        let second = incoming.recv().await;
        assert!(matches!(second, Some(Incoming::Stranger(..))), "{second:?}");
        for sent in [one, two] {
            assert_eq!(sent.await.expect("sent"), Ok(()));
        }
        // A stranger that has signed on is a player.
        let inbox = Inbox::for_stranger(queue, turns);
        inbox.admit();
        assert_eq!(inbox.send(Incoming::Closed(4)).await, Ok(()));
    }
}
