//! The end of what an engine writes to standard error, for the message when it dies.

use std::convert::Infallible;
use std::io::Read;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::text::printable;

/// The bytes that are kept.
const MOST_BYTES: usize = 2048;
/// The lines that are shown.
const MOST_LINES: usize = 4;
/// How long to wait for the end of the output of an engine that has ended: another process may still
/// hold it open.
const PATIENCE: Duration = Duration::from_secs(1);

/// The last bytes of a stream, which a thread reads.
pub struct ErrorOutput {
    tail: Arc<Mutex<Vec<u8>>>,
    /// Disconnected at the end of the stream.
    end: Receiver<Infallible>,
}

impl ErrorOutput {
    /// Starts to read.
    pub fn collect(mut stream: impl Read + Send + 'static) -> Self {
        let tail = Arc::<Mutex<Vec<u8>>>::default();
        let (sender, end) = channel();
        let kept = Arc::clone(&tail);
        thread::spawn(move || {
            let _sender = sender;
            let mut buffer = [0; MOST_BYTES];
            while let Ok(count @ 1..) = stream.read(&mut buffer) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(&buffer[..count]);
                let excess = kept.len().saturating_sub(MOST_BYTES);
                kept.drain(..excess);
            }
        });
        Self { tail, end }
    }

    /// The last lines in one; none if there are none.
    pub fn last_lines(&self) -> Option<String> {
        let _ = self.end.recv_timeout(PATIENCE);
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&tail);
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let mut lines: Vec<_> = lines.rev().take(MOST_LINES).map(printable).collect();
        lines.reverse();
        (!lines.is_empty()).then(|| lines.join(" | "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept() {
        for (text, expected) in [
            ("", None),
            (" \n\n", None),
            ("out of memory", Some("out of memory")),
            (
                "1\n2\n\n3\r\n\x1b[31m4\n5\n",
                Some("2 | 3 | \u{FFFD}[31m4 | 5"),
            ),
        ] {
            let output = ErrorOutput::collect(text.as_bytes());
            assert!(output.end.recv().is_err());
            assert_eq!(output.last_lines().as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn little_is_kept() {
        let stream = std::io::repeat(b'x').take(1 << 24);
        let output = ErrorOutput::collect(stream.chain(&b"\nthe end\n"[..]));
        // The whole stream is read, however long that takes.
        assert!(output.end.recv().is_err());
        let lines = output.last_lines().expect("lines");
        assert!(lines.ends_with("x | the end"), "{lines}");
        assert!(lines.len() <= MOST_BYTES + 2 * MOST_LINES);
        assert!(output.tail.lock().expect("not poisoned").capacity() <= 4 * MOST_BYTES);
    }
}
