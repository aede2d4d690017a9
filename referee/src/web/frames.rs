//! The latest events of the broadcast, as they are sent to viewers.

use std::collections::VecDeque;

use axum::body::Bytes;

use crate::core::broadcast::Published;
use crate::core::event::Report;
use crate::core::event::stream::Stamped;

/// The most that is kept, in bytes. A viewer that comes back later begins with a snapshot.
const MAX_BYTES: usize = 32 << 20;
/// The most that is sent to a viewer in one piece, in bytes.
const MAX_PIECE: usize = 64 << 10;

/// The latest events, each with its number.
#[derive(Debug, Default)]
pub struct Frames {
    events: VecDeque<Bytes>,
    /// The number of the last event.
    last: u64,
    /// The size of all frames.
    bytes: usize,
}

impl Frames {
    /// Adds the next event.
    pub fn push(&mut self, published: &Published) {
        let bytes = frame(published.id, &published.report, &published.at);
        self.last = published.id;
        self.bytes += bytes.len();
        self.events.push_back(bytes);
        while self.bytes > MAX_BYTES
            && let Some(oldest) = self.events.pop_front()
        {
            self.bytes -= oldest.len();
        }
    }

    /// The number of the last event.
    #[must_use]
    pub const fn last(&self) -> u64 {
        self.last
    }

    /// Events after a number, as many as fit into a piece, and the number of the last one of them. `None` if
    /// they are not kept any more, or there has been no such number.
    #[must_use]
    pub fn after(&self, id: u64) -> Option<(Vec<u8>, u64)> {
        let missing = usize::try_from(self.last.checked_sub(id)?).ok()?;
        let first = self.events.len().checked_sub(missing)?;
        let mut piece = Vec::new();
        let mut last = id;
        for frame in self.events.range(first..) {
            if !piece.is_empty() && piece.len() + frame.len() > MAX_PIECE {
                break;
            }
            piece.extend_from_slice(frame);
            last += 1;
        }
        Some((piece, last))
    }
}

/// An event as server-sent events have it.
#[must_use]
pub fn frame(id: u64, report: &Report, at: &str) -> Bytes {
    let stamped = Stamped {
        seq: id,
        report,
        at: at.to_owned(),
    };
    // A report is plain data. JSON has no line breaks.
    let json = serde_json::to_string(&stamped).unwrap_or_default();
    format!("id: {id}\ndata: {json}\n\n").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(id: u64, length: usize) -> Published {
        Published {
            id,
            at: "2026-11-23T10:00:00.000Z".to_owned(),
            report: Report::Note {
                game: None,
                text: "x".repeat(length),
            },
        }
    }

    #[test]
    fn a_viewer_gets_what_it_lacks() {
        let mut frames = Frames::default();
        assert_eq!(frames.after(0), Some((Vec::new(), 0)));
        for id in 1..=5 {
            frames.push(&note(id, 10));
        }
        let (piece, last) = frames.after(3).expect("kept");
        let text = String::from_utf8(piece).expect("text");
        assert_eq!(last, 5);
        assert!(
            text.starts_with("id: 4\ndata: {\"seq\":4,\"event\":\"note\","),
            "{text}"
        );
        assert_eq!(text.matches("\n\n").count(), 2);
        assert_eq!(frames.after(5), Some((Vec::new(), 5)));
        assert_eq!(frames.after(6), None, "never sent");
    }

    #[test]
    fn pieces_and_memory_are_bounded() {
        let mut frames = Frames::default();
        for id in 1..=4000 {
            frames.push(&note(id, 10_000));
        }
        assert!(frames.bytes <= MAX_BYTES);
        assert_eq!(frames.after(0), None, "forgotten");
        let (mut id, mut pieces) = (3000, 0);
        while id < 4000 {
            let (piece, last) = frames.after(id).expect("kept");
            assert!(piece.len() <= MAX_PIECE);
            assert!(last > id);
            (id, pieces) = (last, pieces + 1);
        }
        assert!(pieces >= 1000 * 10_000 / MAX_PIECE);
    }
}
