//! The names of tie-breaks.

use std::fmt;
use std::str::FromStr;

/// A tie-break of C.07, article 5, for players (not teams).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TieBreak {
    /// `DE`: the results among the tied players (article 6).
    DirectEncounter,
    /// `WIN`: wins, also by forfeit or bye (7.1).
    Wins,
    /// `WON`: games won over the board (7.2).
    GamesWon,
    /// `BPG`: games played with Black (7.3).
    BlackGames,
    /// `BWG`: games won with Black (7.4).
    BlackWins,
    /// `PS`: the sum of the scores after each round; a cut leaves out the first rounds, a median also the last (7.5).
    Progressive(Cut),
    /// `REP`: rounds without a half-point bye, an absence or a game lost by forfeit (7.6).
    RoundsElected,
    /// `STD`: rounds won and half of those drawn, whatever the points for them (7.7).
    StandardPoints,
    /// `TPN`: the number of the player, the lowest first (7.8).
    PairingNumber,
    /// `BH`: the sum of the opponents' scores (8.1).
    Buchholz(Cut),
    /// `FB`: the same as if all games of the last round were drawn; before the last round, just the same (8.3).
    ForeBuchholz(Cut),
    /// `AOB`: the average Buchholz of the opponents met over the board (8.2).
    AverageBuchholz,
    /// `AOB-F`: their average Fore Buchholz (8.2).
    AverageForeBuchholz,
    /// `SB`: the sum of the opponents' scores times the points won against them (9.1).
    SonnebornBerger(Cut),
    /// `KS`: the points won against opponents with at least half of the possible points (9.2).
    Koya {
        /// By how many half points the limit is moved up: `KS-L1`, `KS-L-1` (14.5).
        half_points: i8,
    },
    /// `ARO`: the average rating of the opponents met over the board (10.1). This and the other tie-breaks by rating
    /// apply only if all players of the event have a rating.
    AverageRating(Cut),
    /// `TPR`: the performance (10.2).
    Performance,
    /// `PTP`: the lowest rating with which the score could be expected (10.3).
    PerfectPerformance,
    /// `APRO`: the average performance of the opponents (10.4).
    AveragePerformance,
    /// `APPO`: the average perfect performance of the opponents (10.5).
    AveragePerfectPerformance,
    /// `RTNG`: the rating (10.6).
    Rating,
}

/// Which parts of a sum do not count (article 14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cut {
    /// All count.
    #[default]
    None,
    /// Without the least significant ones: `-C1`, `-C2`.
    Least(u8),
    /// Without as many of the least and then of the most significant ones: `-M1`, `-M2`.
    Median(u8),
}

impl Cut {
    /// How many of the least and of the most significant values do not count.
    pub(super) fn counts(self) -> (usize, usize) {
        match self {
            Self::None => (0, 0),
            Self::Least(count) => (count.into(), 0),
            Self::Median(count) => (count.into(), count.into()),
        }
    }
}

/// The acronym and the plain name of each tie-break, without modifiers.
const NAMES: [(&str, &str, TieBreak); 20] = [
    ("DE", "direct-encounter", TieBreak::DirectEncounter),
    ("WIN", "wins", TieBreak::Wins),
    ("WON", "games-won", TieBreak::GamesWon),
    ("BPG", "black-games", TieBreak::BlackGames),
    ("BWG", "black-wins", TieBreak::BlackWins),
    ("PS", "progressive", TieBreak::Progressive(Cut::None)),
    ("REP", "rounds-elected", TieBreak::RoundsElected),
    ("STD", "standard-points", TieBreak::StandardPoints),
    ("TPN", "pairing-number", TieBreak::PairingNumber),
    ("BH", "buchholz", TieBreak::Buchholz(Cut::None)),
    ("FB", "fore-buchholz", TieBreak::ForeBuchholz(Cut::None)),
    ("AOB", "average-buchholz", TieBreak::AverageBuchholz),
    (
        "SB",
        "sonneborn-berger",
        TieBreak::SonnebornBerger(Cut::None),
    ),
    ("KS", "koya", TieBreak::Koya { half_points: 0 }),
    ("ARO", "average-rating", TieBreak::AverageRating(Cut::None)),
    ("TPR", "performance", TieBreak::Performance),
    ("PTP", "perfect-performance", TieBreak::PerfectPerformance),
    ("APRO", "average-performance", TieBreak::AveragePerformance),
    (
        "APPO",
        "average-perfect-performance",
        TieBreak::AveragePerfectPerformance,
    ),
    ("RTNG", "rating", TieBreak::Rating),
];

impl TieBreak {
    /// The tie-break with a modifier, if it has that one.
    fn with(self, modifier: &str) -> Option<Self> {
        let cut = || {
            let number = |text: &str| match text.trim_start_matches('-').parse() {
                Ok(count @ 1..=9) => Some(count),
                _ => None,
            };
            let after = |long: &str, short: &str| {
                modifier
                    .strip_prefix(long)
                    .or_else(|| modifier.strip_prefix(short))
                    .and_then(number)
            };
            after("median", "m")
                .map(Cut::Median)
                .or_else(|| after("cut", "c").map(Cut::Least))
        };
        Some(match self {
            Self::Progressive(_) => Self::Progressive(cut()?),
            Self::Buchholz(_) => Self::Buchholz(cut()?),
            Self::ForeBuchholz(_) => Self::ForeBuchholz(cut()?),
            Self::SonnebornBerger(_) => Self::SonnebornBerger(cut()?),
            Self::AverageRating(_) => Self::AverageRating(cut()?),
            Self::AverageBuchholz if modifier == "f" => Self::AverageForeBuchholz,
            Self::Koya { .. } => Self::Koya {
                half_points: modifier.strip_prefix('l')?.parse().ok()?,
            },
            _ => return None,
        })
    }

    /// The modifiers that the tie-break has, for messages.
    fn modifiers(self) -> &'static str {
        match self {
            Self::Progressive(_)
            | Self::Buchholz(_)
            | Self::ForeBuchholz(_)
            | Self::SonnebornBerger(_)
            | Self::AverageRating(_) => "C1 to C9 (cut) or M1 to M9 (median)",
            Self::AverageBuchholz | Self::AverageForeBuchholz => "F (Fore Buchholz)",
            Self::Koya { .. } => "a limit such as L1 or L-1 (in half points)",
            _ => "no modifier",
        }
    }
}

impl FromStr for TieBreak {
    type Err = ParseTieBreakError;

    /// Reads an acronym or a plain name, with modifiers after a hyphen or a slash: `BH`, `bh-c1`, `BH/C1`,
    /// `buchholz-cut-1`, `KS-L-1`. Upper and lower case are the same.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let plain = text.trim().to_ascii_lowercase().replace(['_', ' '], "-");
        for (acronym, word, tie_break) in NAMES {
            for name in [acronym.to_ascii_lowercase().as_str(), word] {
                let Some(rest) = plain.strip_prefix(name) else {
                    continue;
                };
                if rest.is_empty() {
                    return Ok(tie_break);
                }
                if let Some(modifier) = rest.strip_prefix(['-', '/']) {
                    return tie_break
                        .with(modifier)
                        .ok_or_else(|| ParseTieBreakError::Modifier {
                            text: text.trim().to_owned(),
                            name: acronym,
                            known: tie_break.modifiers(),
                        });
                }
            }
        }
        Err(ParseTieBreakError::Unknown(text.trim().to_owned()))
    }
}

impl fmt::Display for TieBreak {
    /// The acronym with its modifiers, such as `BH-C1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bare = match *self {
            Self::Progressive(_) => Self::Progressive(Cut::None),
            Self::Buchholz(_) => Self::Buchholz(Cut::None),
            Self::ForeBuchholz(_) => Self::ForeBuchholz(Cut::None),
            Self::SonnebornBerger(_) => Self::SonnebornBerger(Cut::None),
            Self::AverageRating(_) => Self::AverageRating(Cut::None),
            Self::AverageForeBuchholz => Self::AverageBuchholz,
            Self::Koya { .. } => Self::Koya { half_points: 0 },
            other => other,
        };
        let names = NAMES.iter().find(|(_, _, named)| *named == bare);
        let acronym = names.map_or("", |(acronym, _, _)| acronym);
        let modifier = match *self {
            Self::Progressive(cut)
            | Self::Buchholz(cut)
            | Self::ForeBuchholz(cut)
            | Self::SonnebornBerger(cut)
            | Self::AverageRating(cut) => match cut {
                Cut::None => String::new(),
                Cut::Least(count) => format!("-C{count}"),
                Cut::Median(count) => format!("-M{count}"),
            },
            Self::AverageForeBuchholz => "-F".to_owned(),
            Self::Koya { half_points } if half_points != 0 => format!("-L{half_points}"),
            _ => String::new(),
        };
        f.pad(&format!("{acronym}{modifier}"))
    }
}

/// Why a text does not name a tie-break.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseTieBreakError {
    /// There is no tie-break of that name.
    #[error("found the tie-break {0:?}, expected one of: {list}", list = known())]
    Unknown(String),
    /// The tie-break does not have that modifier.
    #[error("found the tie-break {text:?}, but {name} takes {known}")]
    Modifier {
        /// What was found.
        text: String,
        /// The tie-break.
        name: &'static str,
        /// The modifiers that it has.
        known: &'static str,
    },
}

/// All names, for messages.
fn known() -> String {
    let names: Vec<String> = NAMES
        .iter()
        .map(|(acronym, word, _)| format!("{acronym} ({word})"))
        .collect();
    names.join(", ") + "; modifiers as in BH-C1 (buchholz-cut-1), BH-M1 (buchholz-median-1)"
}
