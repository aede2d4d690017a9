//! Games as an independent reader finds them: the moves are replayed by another implementation of
//! the rules.

use std::collections::HashMap;

use shakmaty::fen::{Epd, Fen};
use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, EnPassantMode, KnownOutcome, Outcome, Position};

/// A game of a PGN file.
#[derive(Clone, Debug)]
pub struct Played {
    pub tags: HashMap<String, String>,
    /// The moves as they are written.
    pub moves: Vec<String>,
    /// The comments, all in one.
    pub comments: String,
    /// What stands after the last move.
    pub result: String,
}

/// The games of a file.
pub fn read(text: &str) -> Vec<Played> {
    let starts: Vec<_> = text.match_indices("[Event ").map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| read_one(&text[start..end]))
        .collect()
}

fn read_one(text: &str) -> Played {
    let (head, movetext) = text.split_once("\n\n").expect("tags, then moves");
    let tags = head.lines().map(|line| {
        let line = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'));
        let (tag, value) = line.expect("a tag").split_once(' ').expect("a value");
        let value = value.trim_matches('"').replace("\\\"", "\"");
        (tag.to_owned(), value)
    });
    let (mut plain, mut comments, mut depth) = (String::new(), String::new(), 0);
    for letter in movetext.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ if depth > 0 => comments.push(letter),
            _ => plain.push(letter),
        }
    }
    let mut words: Vec<_> = plain
        .split_whitespace()
        .filter(|word| !word.ends_with('.'))
        .map(str::to_owned)
        .collect();
    Played {
        tags: tags.collect(),
        result: words.pop().expect("a result"),
        moves: words,
        comments: comments.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

impl Played {
    pub fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("", String::as_str)
    }

    /// What follows this word in the comments: `%clk`, `%eval`.
    pub fn annotations(&self, word: &str) -> Vec<&str> {
        let begin = format!("[{word} ");
        let found = self.comments.split(&begin).skip(1);
        found
            .filter_map(|rest| rest.split_once(']'))
            .map(|(value, _)| value)
            .collect()
    }

    /// Who played whom.
    pub fn players(&self) -> (String, String) {
        (self.tag("White").to_owned(), self.tag("Black").to_owned())
    }

    fn start(&self) -> Chess {
        match self.tags.get("FEN") {
            Some(fen) => {
                let fen: Fen = fen.parse().expect("a FEN");
                fen.into_position(CastlingMode::Standard).expect("legal")
            }
            None => Chess::default(),
        }
    }

    /// Replays the game: every move is legal, nothing goes on after its end, what the tags say is
    /// so. Returns how the rules of chess end it, if they do.
    #[track_caller]
    pub fn check(&self) -> Option<&'static str> {
        let ended = self.replay();
        if let Some((_, result)) = ended {
            assert_eq!(result, self.result, "{self:?}");
            assert_eq!(self.tag("Termination"), "normal");
        }
        ended.map(|(how, _)| how)
    }

    /// Whether the board shows checkmate or stalemate, but the game has no result yet: the referee sends the
    /// last move to the side without a legal move, and waits for its reply (decision 62).
    #[track_caller]
    pub fn awaits_last_reply(&self) -> bool {
        let ended = self.replay();
        self.result == "*" && matches!(ended, Some(("checkmate" | "stalemate", _)))
    }

    /// Replays the game. Returns how the rules of chess end it and its result, if they do.
    #[track_caller]
    fn replay(&self) -> Option<(&'static str, &'static str)> {
        assert_eq!(self.result, self.tag("Result"));
        assert_eq!(self.moves.len().to_string(), self.tag("PlyCount"));
        let mut position = self.start();
        let mut occurrences: HashMap<String, u32> = HashMap::new();
        let mut ended = end_of(&position, &mut occurrences);
        for text in &self.moves {
            assert_eq!(ended, None, "{text} comes after the end: {self:?}");
            let san: San = text.parse().expect(text);
            let mv = san.to_move(&position).expect(text);
            position = position.play(mv).expect(text);
            ended = end_of(&position, &mut occurrences);
        }
        ended
    }

    /// A game that went to its end by the rules.
    #[track_caller]
    pub fn check_to_the_end(&self) {
        assert!(self.check().is_some(), "{self:?} did not end");
    }
}

/// How a position ends a game whose positions so far are counted, and the result.
fn end_of(
    position: &Chess,
    occurrences: &mut HashMap<String, u32>,
) -> Option<(&'static str, &'static str)> {
    let key = Epd::from_position(position, EnPassantMode::Legal).to_string();
    let count = occurrences.entry(key).or_default();
    *count += 1;
    if position.is_checkmate() {
        return match position.outcome() {
            Outcome::Known(KnownOutcome::Decisive { winner }) if winner.is_white() => {
                Some(("checkmate", "1-0"))
            }
            _ => Some(("checkmate", "0-1")),
        };
    }
    let how = if position.is_stalemate() {
        "stalemate"
    } else if *count >= 3 {
        "repetition"
    } else if position.halfmoves() >= 100 {
        "fifty moves"
    } else if position.is_insufficient_material() {
        "insufficient material"
    } else {
        return None;
    };
    Some((how, "1/2-1/2"))
}
