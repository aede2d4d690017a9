//! What a source tells, and how it reads it.

use jiff::SignedDuration;
use referee::event::stream::Stamped;

/// What a source tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Feed {
    /// What was told before is void: another event begins.
    Restart,
    /// The next events of the stream.
    Events(Vec<Stamped>),
    /// The stream is being followed.
    Connected,
    /// The clock of the referee's machine is ahead of this one's by so much.
    Ahead(SignedDuration),
    /// Nothing comes at the moment, and why.
    Waiting(String),
    /// Something in the stream that cannot be read, and is left out.
    Unreadable(String),
}

/// Reads an event. `None` is one of a kind that this version does not know.
pub fn read_event(text: &[u8]) -> Result<Option<Stamped>, String> {
    match serde_json::from_slice(text) {
        Ok(event) => Ok(Some(event)),
        Err(error) => {
            let why = error.to_string();
            if why.starts_with("unknown variant") {
                Ok(None)
            } else {
                Err(why)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use referee::event::Report;

    use super::*;

    #[test]
    fn later_versions_may_add_kinds_and_fields() {
        let read = |text: &str| read_event(text.as_bytes());
        let known = r#"{"seq":7,"event":"paused","why":"lunch","mood":"good","at":"2026-11-23T10:00:00.000Z"}"#;
        let known = read(known).expect("readable").expect("known");
        assert_eq!(
            known.report,
            Report::Paused {
                why: "lunch".to_owned()
            }
        );
        assert_eq!(
            read(r#"{"seq":8,"event":"fanfare","at":"2026-11-23T10:00:00.000Z"}"#),
            Ok(None)
        );
        for wrong in [
            "",
            "{",
            "[]",
            r#"{"event":"paused"}"#,
            r#"{"event":"move","game":-1,"at":""}"#,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
