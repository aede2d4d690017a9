//! What the rules ask about a player before a round: score, colours, floats, bye.

use crate::event::{Colour, Event, Round, Score};

/// The float of a player in a round (C.04.3, 1.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Float {
    None,
    Up,
    Down,
}

/// A player who is to be paired.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    /// The index in the event.
    pub(crate) player: usize,
    /// The pairing number from zero on: the place among all who were ever paired.
    pub(crate) number: usize,
    /// With virtual points.
    pub(crate) score: Score,
    /// The colours of the games played, in order; of a meeting of several games, that of the first one.
    pub(crate) colours: Vec<Colour>,
    /// The colour that the player should have (1.7).
    pub(crate) preference: Option<Colour>,
    /// By how many games the colours of the player differ.
    pub(crate) imbalance: usize,
    /// The colour of the last two games, if they had the same.
    pub(crate) repeated: Option<Colour>,
    /// In the last round and in the one before it.
    pub(crate) floats: [Float; 2],
    /// Whether the player may get the pairing-allocated bye (C2).
    pub(crate) may_have_bye: bool,
    /// Whether the player has more than half of the possible points before the last round (1.8).
    pub(crate) is_topscorer: bool,
}

impl Standing {
    pub(crate) fn is_absolute(&self) -> bool {
        self.imbalance > 1 || self.repeated.is_some()
    }

    pub(crate) fn is_strong(&self) -> bool {
        !self.is_absolute() && self.imbalance > 0
    }

    /// Whether this player and another have the same colour preference.
    pub(crate) fn shares_preference(&self, other: &Self) -> bool {
        self.preference.is_some() && self.preference == other.preference
    }

    fn new(event: &Event, player: usize, number: usize) -> Self {
        let rounds = &event.players[player].rounds;
        let colours: Vec<Colour> = rounds
            .iter()
            .filter(|round| round.was_played())
            .filter_map(Round::colour)
            .collect();
        let white = colours
            .iter()
            .filter(|&&colour| colour == Colour::White)
            .count();
        let black = colours.len() - white;
        let imbalance = white.abs_diff(black);
        let rarer = if white > black {
            Colour::Black
        } else {
            Colour::White
        };
        let last = colours.last().copied();
        let repeated = match colours[..] {
            [.., before, last] if before == last => Some(last),
            _ => None,
        };
        let preference = match (imbalance, repeated) {
            (2.., _) | (1, None) => Some(rarer),
            (_, Some(colour)) => Some(colour.other()),
            (0, None) => last.map(Colour::other),
        };
        let score = event.pairing_score(player, event.paired);
        Self {
            player,
            number,
            score,
            preference,
            imbalance,
            repeated,
            colours,
            floats: [1, 2].map(|back| float(event, player, back)),
            may_have_bye: may_have_bye(event, player),
            is_topscorer: is_topscorer(event, score),
        }
    }
}

fn is_topscorer(event: &Event, score: Score) -> bool {
    let of_a_round = event.points.win.max(event.points.draw).tenths * event.games;
    let most = of_a_round * event.paired as u32;
    event.paired + 1 >= event.rounds && score.tenths > most / 2
}

fn may_have_bye(event: &Event, player: usize) -> bool {
    let win = event.points.win.tenths * event.games;
    let mut rounds = event.players[player].rounds.iter();
    rounds.all(|round| {
        let is_bye = *round == Round::PairingBye;
        round.was_played() || !is_bye && round.score(&event.points, event.games).tenths < win
    })
}

/// The float of a player some rounds ago.
fn float(event: &Event, player: usize, back: usize) -> Float {
    let Some(round) = event.paired.checked_sub(back) else {
        return Float::None;
    };
    let did = &event.players[player].rounds[round];
    let Some(opponent) = did.opponent().filter(|_| did.was_played()) else {
        let loss = event.points.loss.tenths * event.games;
        return if did.score(&event.points, event.games).tenths > loss {
            Float::Down
        } else {
            Float::None
        };
    };
    match event
        .pairing_score(player, round)
        .cmp(&event.pairing_score(opponent, round))
    {
        std::cmp::Ordering::Greater => Float::Down,
        std::cmp::Ordering::Less => Float::Up,
        std::cmp::Ordering::Equal => Float::None,
    }
}

/// The players to pair, in the order of the rules: by score, then by pairing number.
pub(crate) fn standings(event: &Event) -> Vec<Standing> {
    let mut standings = Vec::new();
    let mut number = 0;
    for (player, entry) in event.players.iter().enumerate() {
        let present = event.is_present(player);
        // A late entry that was never paired has no number yet.
        if !present && !entry.rounds.iter().any(Round::was_paired) {
            continue;
        }
        if present {
            standings.push(Standing::new(event, player, number));
        }
        number += 1;
    }
    standings.sort_by_key(|standing| (std::cmp::Reverse(standing.score), standing.number));
    standings
}
