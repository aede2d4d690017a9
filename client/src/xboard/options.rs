//! The features and options of the engine.

use std::path::PathBuf;
use std::time::Duration;

use crate::cli::MAX_BOOK_DEPTH;
use crate::engines::opening_book::OpeningBook;
use crate::engines::strength::Strength;
use book::Choice;

/// The options that the interface can set, beside `memory` and `cores`.
#[derive(Debug)]
pub struct Options {
    /// The time of each move that the interface needs.
    pub overhead: Duration,
    /// Resign after some moves with a score this far below zero; 0 for never.
    pub resign_score: i32,
    limits_strength: bool,
    elo: u32,
    pub book: OpeningBook,
    /// The opening book of the command line.
    pub book_file: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            overhead: Duration::from_millis(10),
            resign_score: 0,
            limits_strength: false,
            elo: Strength::MAX_ELO,
            book: OpeningBook::default(),
            book_file: None,
        }
    }
}

/// The features, a line each.
pub fn features(options: &Options) -> String {
    let file = options.book_file.as_ref();
    let has_book = u8::from(file.is_some());
    let file = file.map_or(String::new(), |path| path.display().to_string());
    let (least, most) = (Strength::MIN_ELO, Strength::MAX_ELO);
    format!(
        "feature done=0\n\
         feature myname=\"Epode {}\"\n\
         feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=1\n\
         feature reuse=1 analyze=1 colors=0 ics=0 name=0 pause=0 nps=1 memory=1 smp=1 debug=1\n\
         feature egt=\"syzygy\"\n\
         feature variants=\"normal,fischerandom\"\n\
         feature option=\"Move Overhead -spin 10 0 5000\"\n\
         feature option=\"Resign Score -spin 0 0 30000\"\n\
         feature option=\"Limit Strength -check 0\"\n\
         feature option=\"Elo -spin {most} {least} {most}\"\n\
         feature option=\"OwnBook -check {has_book}\"\n\
         feature option=\"BookFile -file {file}\"\n\
         feature option=\"BookDepth -spin {MAX_BOOK_DEPTH} 1 {MAX_BOOK_DEPTH}\"\n\
         feature option=\"BestBookMove -check 0\"\n\
         feature option=\"Clear Hash -button\"\n\
         feature done=1",
        env!("CARGO_PKG_VERSION")
    )
}

impl Options {
    /// The defaults with an opening book of the command line.
    pub fn with_book(book: OpeningBook, book_file: Option<PathBuf>) -> Self {
        Self {
            book,
            book_file,
            ..Self::default()
        }
    }

    /// Sets an option; false if there is none of this name, or if the value is not valid. `Clear Hash` and
    /// `BookFile` are no options of this kind.
    pub fn set(&mut self, name: &str, value: &str) -> bool {
        let number = |least: u32, most: u32| {
            let number = value.parse().ok();
            number.filter(|number| (least..=most).contains(number))
        };
        let done = match name.to_ascii_lowercase().as_str() {
            "move overhead" => {
                number(0, 5000).map(|number| self.overhead = Duration::from_millis(number.into()))
            }
            "resign score" => number(0, 30_000).map(|number| self.resign_score = number as i32),
            "limit strength" => number(0, 1).map(|number| self.limits_strength = number == 1),
            "elo" => number(Strength::MIN_ELO, Strength::MAX_ELO).map(|number| self.elo = number),
            "ownbook" => number(0, 1).map(|number| self.book.is_used = number == 1),
            "bookdepth" => number(1, MAX_BOOK_DEPTH).map(|number| self.book.depth = number),
            "bestbookmove" => number(0, 1).map(|number| {
                self.book.choice = match number {
                    1 => Choice::Best,
                    _ => Choice::Weighted,
                };
            }),
            _ => None,
        };
        done.is_some()
    }

    /// The strength to play at; none for full strength.
    pub fn strength(&self) -> Option<Strength> {
        self.limits_strength.then(|| Strength::of_elo(self.elo))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_set_within_their_bounds() {
        let mut options = Options::default();
        assert!(options.set("move overhead", "50") && options.set("Resign Score", "900"));
        assert_eq!(options.overhead, Duration::from_millis(50));
        assert_eq!(options.resign_score, 900);
        assert!(options.set("Elo", &Strength::MIN_ELO.to_string()));
        assert_eq!(options.strength(), None);
        assert!(options.set("Limit Strength", "1"));
        assert_eq!(
            options.strength(),
            Some(Strength::of_elo(Strength::MIN_ELO))
        );
        for (name, value) in [
            ("Move Overhead", "5001"),
            ("Elo", "1"),
            ("Limit Strength", "true"),
            ("Style", "1"),
            ("Clear Hash", ""),
        ] {
            assert!(!options.set(name, value), "{name}");
        }
    }
}
