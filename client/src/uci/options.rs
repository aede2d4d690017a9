//! The UCI options.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use book::Choice;
use engine::Net;
use movegen::CastlingMode;
use syzygy::Rule50;

use crate::cli::{FrontEnd, MAX_BOOK_DEPTH, NetFile};
use crate::engines::opening_book::OpeningBook;
use crate::engines::strength::Strength;
use crate::engines::unknown_option;
use crate::think::job::Job;
use crate::think::tablebases::Setting;

/// The value of an option that names no file.
const EMPTY: &str = "<empty>";

const OVERHEAD: Duration = Duration::from_millis(10);

/// The option declarations. The files of the command line are the defaults.
pub fn declaration(files: &FrontEnd) -> String {
    let [book, net] = [&files.book.file, &files.net.net].map(|file| {
        let path = file.as_ref().map(|path| path.display().to_string());
        path.unwrap_or_else(|| EMPTY.to_owned())
    });
    format!(
        "{DECLARATION}\n\
         option name EvalFile type string default {net}\n\
         option name OwnBook type check default {}\n\
         option name BookFile type string default {book}\n\
         option name BookDepth type spin default {MAX_BOOK_DEPTH} min 1 max {MAX_BOOK_DEPTH}\n\
         option name BestBookMove type check default false{}",
        files.book.file.is_some(),
        tunable::declaration(),
    )
}

const DECLARATION: &str = "\
option name Hash type spin default 16 min 1 max 1048576
option name Threads type spin default 1 min 1 max 1024
option name MultiPV type spin default 1 min 1 max 256
option name Move Overhead type spin default 10 min 0 max 5000
option name Ponder type check default false
option name SyzygyPath type string default <empty>
option name SyzygyProbeDepth type spin default 1 min 1 max 100
option name Syzygy50MoveRule type check default true
option name SyzygyProbeLimit type spin default 7 min 0 max 7
option name UCI_ShowWDL type check default false
option name UCI_Chess960 type check default false
option name UCI_LimitStrength type check default false
option name UCI_Elo type spin default 2430 min 690 max 2430
option name Clear Hash type button";

/// The options that do not concern the search thread.
#[derive(Debug)]
pub struct Options {
    /// The move overhead.
    pub overhead: Duration,
    /// Print `wdl` with every score.
    pub show_wdl: bool,
    /// Whether the game is one of standard chess or of Chess960.
    pub castling_mode: CastlingMode,
    /// Play at the strength of `elo`.
    pub limits_strength: bool,
    pub elo: u32,
    pub book: OpeningBook,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            overhead: OVERHEAD,
            show_wdl: false,
            castling_mode: CastlingMode::Standard,
            limits_strength: false,
            elo: Strength::MAX_ELO,
            book: OpeningBook::default(),
        }
    }
}

impl Options {
    /// The strength to play at; none for full strength.
    pub fn strength(&self) -> Option<Strength> {
        self.limits_strength.then(|| Strength::of_elo(self.elo))
    }

    /// Sets an option, whose name is not case-sensitive; returns a job for the search thread if one
    /// is needed.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Option<Job>, String> {
        let number = |least: usize, most: usize| {
            let number = value
                .parse()
                .ok()
                .filter(|number| (least..=most).contains(number));
            number
                .ok_or_else(|| format!("{name}: {value:?} is not a number from {least} to {most}"))
        };
        let check = || match value {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(format!("{name}: {value:?} is neither true nor false")),
        };
        Ok(match name.to_ascii_lowercase().as_str() {
            "hash" => Some(Job::Hash(number(1, 1 << 20)?)),
            "threads" => Some(Job::Threads(number(1, 1024)?)),
            "multipv" => Some(Job::Lines(number(1, 256)?)),
            "evalfile" => Some(Job::Net(net(name, value)?)),
            "clear hash" => Some(Job::Clear),
            "syzygypath" => Some(Job::Tablebases(Setting::path(value))),
            "syzygyprobedepth" => {
                let depth = number(1, 100)? as u16;
                Some(Job::Tablebases(Setting::Depth(depth)))
            }
            "syzygyprobelimit" => Some(Job::Tablebases(Setting::Limit(number(0, 7)?))),
            "syzygy50moverule" => {
                let rule50 = if check()? {
                    Rule50::Counts
                } else {
                    Rule50::Ignored
                };
                Some(Job::Tablebases(Setting::Rule50(rule50)))
            }
            "move overhead" => {
                self.overhead = Duration::from_millis(number(0, 5000)? as u64);
                None
            }
            "uci_showwdl" => {
                self.show_wdl = check()?;
                None
            }
            "uci_chess960" => {
                self.castling_mode = if check()? {
                    CastlingMode::Chess960
                } else {
                    CastlingMode::Standard
                };
                None
            }
            "uci_limitstrength" => {
                self.limits_strength = check()?;
                None
            }
            "uci_elo" => {
                let (least, most) = (Strength::MIN_ELO as usize, Strength::MAX_ELO as usize);
                self.elo = number(least, most)? as u32;
                None
            }
            "ownbook" => {
                self.book.is_used = check()?;
                None
            }
            "bookfile" => {
                let set = self.book.set_file(value);
                set.map_err(|why| format!("{name}: {why}; no book is used"))?;
                None
            }
            "bookdepth" => {
                self.book.depth = number(1, MAX_BOOK_DEPTH as usize)? as u32;
                None
            }
            "bestbookmove" => {
                self.book.choice = if check()? {
                    Choice::Best
                } else {
                    Choice::Weighted
                };
                None
            }
            // The option only announces that the interface may send `go ponder`.
            "ponder" => None,
            _ => {
                tunable::set(name, value).ok_or_else(|| unknown(name))??;
                None
            }
        })
    }
}

fn unknown(name: &str) -> String {
    let declared = declaration(&FrontEnd::default());
    format!("Epode {}", unknown_option(name, &declared))
}

/// The network in a file, or the built-in one if the name is empty.
fn net(name: &str, value: &str) -> Result<Arc<Net>, String> {
    let path = (!matches!(value, "" | EMPTY)).then(|| PathBuf::from(value));
    let net = NetFile { net: path }.load();
    net.map_err(|error| format!("{name}: {error:#}; the network stays as it was"))
}

/// The parameters of the search as options: whole numbers as `spin`, the others as `string`.
#[cfg(feature = "tune")]
mod tunable {
    use engine::tunables;

    pub fn declaration() -> String {
        let lines = tunables().iter().map(|number| {
            let (name, default, [least, most]) = (number.name, number.default, number.range);
            if number.is_integer {
                format!("\noption name {name} type spin default {default} min {least} max {most}")
            } else {
                format!("\noption name {name} type string default {default}")
            }
        });
        lines.collect()
    }

    /// Sets a number; none if there is none of this name.
    pub fn set(name: &str, value: &str) -> Option<Result<(), String>> {
        let mut numbers = tunables().iter();
        let number = numbers.find(|number| number.name.eq_ignore_ascii_case(name))?;
        let is_set = value.parse().is_ok_and(|value| number.set(value));
        Some(is_set.then_some(()).ok_or_else(|| {
            let [least, most] = number.range;
            let kind = if number.is_integer {
                "whole number"
            } else {
                "number"
            };
            format!("{name}: {value:?} is not a {kind} from {least} to {most}")
        }))
    }
}

#[cfg(not(feature = "tune"))]
mod tunable {
    pub const fn declaration() -> &'static str {
        ""
    }

    pub const fn set(_: &str, _: &str) -> Option<Result<(), String>> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::think::HASH;

    #[cfg(feature = "tune")]
    #[test]
    fn parameters_of_the_search_are_options() {
        let declared = declaration(&FrontEnd::default());
        let option = |begin: &str| declared.lines().find_map(|line| line.strip_prefix(begin));
        let futility_base = option("option name futility_base type spin default ");
        let (default, range) = futility_base.unwrap().split_once(' ').unwrap();
        assert_eq!(range, "min 0 max 250");
        let lmr_quiet_base = option("option name lmr_quiet_base type string default ");
        assert!(lmr_quiet_base.unwrap().parse::<f64>().is_ok());
        let mut options = Options::default();
        let mut set = |name: &str, value: &str| options.set(name, value).map(|_| ());
        // The parameters belong to the whole process: the last value of each is its default.
        for (name, value) in [
            ("Futility_Base", "100"),
            ("futility_base", default),
            ("lmr_pv", "1024"),
        ] {
            assert_eq!(set(name, value), Ok(()));
        }
        for (name, value, why) in [
            (
                "futility_base",
                "90.5",
                "is not a whole number from 0 to 250",
            ),
            (
                "futility_base",
                "251",
                "is not a whole number from 0 to 250",
            ),
            ("lmr_quiet_base", "x", "is not a number from 0 to 1.5"),
            ("lmr_quiet_base", "NaN", "is not a number from 0 to 1.5"),
        ] {
            let refusal = set(name, value).expect_err(value);
            assert!(refusal.ends_with(why), "{refusal}");
        }
    }

    #[test]
    fn options_are_set_within_their_bounds() {
        let mut options = Options::default();
        assert!(matches!(options.set("Hash", "64"), Ok(Some(Job::Hash(64)))));
        assert!(matches!(
            options.set("multipv", "3"),
            Ok(Some(Job::Lines(3)))
        ));
        assert!(matches!(options.set("Move Overhead", "50"), Ok(None)));
        assert_eq!(options.overhead, Duration::from_millis(50));
        assert!(matches!(options.set("UCI_ShowWDL", "true"), Ok(None)));
        assert!(options.show_wdl);
        assert!(matches!(options.set("UCI_Chess960", "true"), Ok(None)));
        assert_eq!(options.castling_mode, CastlingMode::Chess960);
        for (name, value) in [
            ("SyzygyProbeDepth", "0"),
            ("SyzygyProbeLimit", "8"),
            ("Syzygy50MoveRule", "on"),
            ("UCI_ShowWDL", "yes"),
            ("UCI_Chess960", ""),
            ("Hash", "0"),
            ("Hash", "x"),
            ("Threads", "-1"),
            ("UCI_Elo", "1"),
            ("UCI_Elo", "9999"),
            ("Style", "1"),
        ] {
            assert!(options.set(name, value).is_err(), "{name} {value}");
        }
        assert!(DECLARATION.contains(&format!("Hash type spin default {HASH} ")));
        let bounds = format!(
            "UCI_Elo type spin default {max} min {} max {max}\n",
            Strength::MIN_ELO,
            max = Strength::MAX_ELO
        );
        assert!(DECLARATION.contains(&bounds));
        assert_eq!(options.strength(), None);
        assert!(matches!(options.set("UCI_LimitStrength", "true"), Ok(None)));
        let strongest = Strength::of_elo(Strength::MAX_ELO);
        assert_eq!(options.strength(), Some(strongest));
        let least = Strength::MIN_ELO.to_string();
        assert!(matches!(options.set("UCI_Elo", &least), Ok(None)));
        assert_eq!(
            options.strength(),
            Some(Strength::of_elo(Strength::MIN_ELO))
        );
    }
}
