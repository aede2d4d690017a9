//! Standings as text: the table, the cross table, replacements and forfeits.

use std::fmt::Write as _;

use super::{Standing, Standings};
use crate::core::text::shown;

/// The cross table sums up the games of two players that met more often than this.
const CROSS_LETTERS: usize = 8;
/// The heading of the points of byes, and its place in the table.
const BYES: &str = "Byes";
const AFTER_POINTS: usize = 3;

impl Standings {
    /// Whether some points are those of byes.
    fn has_byes(&self) -> bool {
        self.players
            .iter()
            .any(|standing| standing.bye_points > 0.0)
    }

    /// The standings as aligned text, one line per player below the headings.
    #[must_use]
    pub fn table(&self) -> String {
        let headings = [
            "Rank", "Name", "Points", "Games", "+", "=", "-", "Score %", "Elo", "Error",
        ];
        let mut headings = headings.map(str::to_owned).to_vec();
        let has_byes = self.has_byes();
        if has_byes {
            headings.insert(AFTER_POINTS, BYES.to_owned());
        }
        if self.columns.is_empty() {
            headings.push("SB".to_owned());
        } else {
            headings.extend(self.columns.iter().cloned());
        }
        let row = |standing: &Standing| {
            let tally = &standing.tally;
            let error = standing.error.map(|error| format!("{error:.1}"));
            let mut row = vec![
                standing.rank.to_string(),
                shown(&standing.name),
                format!("{:.1}", standing.points),
                standing.games.to_string(),
                tally.wins.to_string(),
                tally.draws.to_string(),
                tally.losses.to_string(),
                standing
                    .score
                    .map_or_else(missing, |score| format!("{:.1}", 100.0 * score)),
                elo_text(standing),
                error.unwrap_or_else(missing),
            ];
            if has_byes {
                row.insert(AFTER_POINTS, bye_text(standing));
            }
            if self.columns.is_empty() {
                row.push(format!("{:.2}", standing.sonneborn_berger));
            } else {
                row.extend(standing.values.iter().cloned());
            }
            row
        };
        let mut rows = vec![headings];
        rows.extend(self.players.iter().map(row));
        aligned(&rows)
    }

    /// Who took whose place, a line for each; empty if nobody did.
    #[must_use]
    pub fn replacements(&self) -> String {
        let lines = self.replaced.iter().enumerate().map(|(i, replaced)| {
            let mut later = self.replaced[i + 1..].iter();
            // A place may have been taken more than once.
            let next = later.find(|later| later.player == replaced.player);
            let next = next.map(|next| &next.name);
            let present = self.of(replaced.player).map(|standing| &standing.name);
            let name = next.or(present).map_or("", String::as_str);
            let count = replaced.games;
            let plural = if count == 1 { "" } else { "s" };
            format!(
                "{} took the place of {} after {count} game{plural}\n",
                shown(name),
                shown(&replaced.name)
            )
        });
        lines.collect()
    }

    /// Who forfeited games and how, a line per player, as these games are in no Elo figure; empty if
    /// nobody did.
    #[must_use]
    pub fn forfeits(&self) -> String {
        let mut text = String::new();
        for standing in &self.players {
            if standing.faults.is_empty() {
                continue;
            }
            let faults = standing.faults.iter();
            let faults: Vec<_> = faults
                .map(|(fault, count)| format!("{count} {fault}"))
                .collect();
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{} forfeited {} of {} games, which the Elo figures leave out: {}",
                shown(&standing.name),
                standing.faults.values().sum::<usize>(),
                standing.games,
                faults.join(", ")
            );
        }
        text
    }

    /// The cells of the cross table: the results of each player against each, both in the order of `players`.
    #[must_use]
    pub fn cross_cells(&self) -> Vec<Vec<String>> {
        let rows = self.crosses.iter().enumerate().map(|(place, cells)| {
            let cells = cells.iter().enumerate().map(|(other, letters)| {
                if other == place {
                    "x".to_owned()
                } else {
                    cross_text(letters)
                }
            });
            cells.collect()
        });
        rows.collect()
    }

    /// The cross table as aligned text. If two players met more than eight times, it shows points and
    /// the number of finished games: `5.5/10`.
    #[must_use]
    pub fn cross_table(&self) -> String {
        let mut headings = vec![String::new(), "Name".to_owned()];
        headings.extend((1..=self.players.len()).map(|place| place.to_string()));
        let has_byes = self.has_byes();
        headings.extend(has_byes.then(|| BYES.to_owned()));
        headings.push("Points".to_owned());
        let mut rows = vec![headings];
        for (place, (standing, cells)) in self.players.iter().zip(self.cross_cells()).enumerate() {
            let mut row = vec![(place + 1).to_string(), shown(&standing.name)];
            row.extend(cells);
            row.extend(has_byes.then(|| bye_text(standing)));
            row.push(format!("{:.1}", standing.points));
            rows.push(row);
        }
        aligned(&rows)
    }
}

/// The points of a player's byes.
fn bye_text(standing: &Standing) -> String {
    match standing.bye_points {
        points if points > 0.0 => format!("{points:.1}"),
        _ => missing(),
    }
}

/// The Elo difference of a player to its opponents, logistic and normalised, in a line.
#[must_use]
pub fn elo_line(standing: &Standing) -> Option<String> {
    let error = |error: Option<f64>| error.map_or_else(missing, |error| format!("{error:.1}"));
    Some(format!(
        "Elo {:+.1} +- {}, normalised Elo {:+.1} +- {}, over {} games and {} pairs",
        standing.elo?,
        error(standing.error),
        standing.normalized_elo?,
        error(standing.normalized_error),
        standing.rated_games,
        standing.tally.pairs.iter().sum::<usize>()
    ))
}

fn missing() -> String {
    "-".to_owned()
}

/// The Elo difference of a player as text: `+12.3`, `-inf`, `-`.
#[must_use]
pub fn elo_text(standing: &Standing) -> String {
    match (standing.elo, standing.rated_score) {
        (Some(elo), _) => format!("{elo:+.1}"),
        (None, Some(score)) if score > 0.5 => "+inf".to_owned(),
        (None, Some(_)) => "-inf".to_owned(),
        (None, None) => missing(),
    }
}

/// The results of two players against each other, one character each; points and games if there are many.
#[must_use]
pub fn cross_text(letters: &str) -> String {
    if letters.is_empty() {
        return ".".to_owned();
    }
    if letters.len() <= CROSS_LETTERS {
        return letters.to_owned();
    }
    let count = |letter| letters.matches(letter).count();
    let (wins, draws, losses) = (count('1'), count('='), count('0'));
    let points = wins as f64 + draws as f64 / 2.0;
    format!("{points:.1}/{}", wins + draws + losses)
}

/// Rows as lines of text. The second column is flush left, the others flush right.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            if column > 0 {
                line.push_str("  ");
            }
            // Writing to a string cannot fail.
            let _ = match column {
                1 => write!(line, "{cell:<width$}"),
                _ => write!(line, "{cell:>width$}"),
            };
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
