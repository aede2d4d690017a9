//! The tags of a game's PGN that tell of its event and of the ratings, for the ledger and for viewers.

use crate::core::schedule::{Format, Plan};

/// `WhiteElo` and `BlackElo` (PGN 9.1.2) of the players that have a rating; and `EventType` and `EventRounds`, as
/// databases of games write them, of a Swiss event or a knockout.
///
/// There is no `WhiteType`: a person may play through a client, and the referee does not know.
#[must_use]
pub fn tags(elo: [Option<u32>; 2], plan: Option<&Plan>) -> Vec<(String, String)> {
    let elo = ["WhiteElo", "BlackElo"].into_iter().zip(elo);
    let elo = elo.filter_map(|(tag, elo)| Some((tag, elo?.to_string())));
    let event = match plan.map(|plan| plan.format) {
        Some(Format::Swiss(swiss)) => vec![
            ("EventType", "swiss".to_owned()),
            ("EventRounds", swiss.rounds.to_string()),
        ],
        Some(Format::Knockout(_)) => vec![("EventType", "k.o.".to_owned())],
        _ => Vec::new(),
    };
    elo.chain(event)
        .map(|(tag, value)| (tag.to_owned(), value))
        .collect()
}
