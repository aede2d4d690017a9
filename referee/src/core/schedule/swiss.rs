//! Swiss events: the FIDE Dutch system, with meetings of any number of games.

use pairing::{Colour, Event, Forbidden, Player, Round, Tally};

use movegen::Color;
use serde::{Deserialize, Serialize};

use super::meeting::{GameEnd, Meeting, Played, Presence, Situation, Step};

/// The settings of a Swiss event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Swiss {
    /// The number of rounds.
    pub rounds: usize,
    /// Whether the first rounds are accelerated by the Baku method (FIDE Handbook C.04.5.1).
    pub is_accelerated: bool,
    /// Whether the first seed has White in the first round.
    pub first_is_white: bool,
}

/// The next round, once the last one is finished.
pub(super) fn next_step(swiss: Swiss, situation: &Situation<'_>) -> Step {
    if !situation.meetings.iter().all(Played::is_finished) {
        return Step::Wait;
    }
    let paired = rounds_paired(situation.meetings);
    if paired >= swiss.rounds {
        return Step::Over { early: None };
    }
    let round = paired + 1;
    let (event, seeds) = event(swiss, situation);
    match pairing::pair(&event) {
        Ok(pairing) => {
            let games = situation.games_per_pairing;
            let pairs = pairing.pairs.iter().map(|pair| Meeting {
                round,
                white: seeds[pair.white],
                black: Some(seeds[pair.black]),
                games,
            });
            let bye = pairing.bye.map(|player| Meeting::bye(round, seeds[player]));
            let meetings: Vec<_> = pairs.chain(bye).collect();
            if meetings.iter().all(|meeting| meeting.black.is_none()) {
                let early = Some(format!("round {round} has no two players to pair"));
                return Step::Over { early };
            }
            Step::Pair(meetings)
        }
        Err(error) => Step::Over {
            early: Some(format!("round {round} cannot be paired: {error}")),
        },
    }
}

/// The number of rounds that have been paired.
#[must_use]
pub fn rounds_paired(meetings: &[Played]) -> usize {
    let rounds = meetings.iter().map(|played| played.meeting.round);
    rounds.max().unwrap_or(0)
}

/// The event as the crate `pairing` knows it, and the player of each of its players. Players who have never come
/// are not in it.
#[must_use]
pub fn event(swiss: Swiss, situation: &Situation<'_>) -> (Event, Vec<usize>) {
    let has_met = |player: usize| {
        let mut meetings = situation.meetings.iter();
        meetings.any(|played| played.meeting.has(player))
    };
    let is_in = |player: usize| match situation.presence[player] {
        Presence::Vacant => false,
        Presence::Entered => true,
        Presence::Out => has_met(player),
    };
    let seeds = situation.seeds(is_in);
    let mut places = vec![usize::MAX; situation.entrants.len()];
    for (place, &player) in seeds.iter().enumerate() {
        places[player] = place;
    }
    let paired = rounds_paired(situation.meetings);
    let mut history = vec![vec![None; paired]; situation.entrants.len()];
    for played in situation.meetings {
        let meeting = played.meeting;
        for player in std::iter::once(meeting.white).chain(meeting.black) {
            history[player][meeting.round - 1] = Some(did(played, player, &places));
        }
    }
    let player = |&player: &usize| {
        let entrant = &situation.entrants[player];
        let unpaired = |round: usize| {
            if entrant.byes.contains(&round) {
                Round::HalfPointBye
            } else {
                Round::Absent
            }
        };
        let rounds = history[player].iter().enumerate();
        let mut rounds: Vec<_> = rounds
            .map(|(round, did)| did.unwrap_or_else(|| unpaired(round + 1)))
            .collect();
        if situation.presence[player] == Presence::Out {
            rounds.push(Round::Absent);
        } else if entrant.byes.contains(&(paired + 1)) {
            rounds.push(Round::HalfPointBye);
        }
        Player {
            name: String::new(),
            rating: entrant.rating.unwrap_or(0),
            rounds,
            virtual_points: Vec::new(),
        }
    };
    let players = seeds.iter().map(player).collect();
    let first = if swiss.first_is_white {
        Colour::White
    } else {
        Colour::Black
    };
    let mut event = Event::new(swiss.rounds, first, players);
    event.paired = paired;
    event.games = u32::try_from(situation.games_per_pairing).unwrap_or(u32::MAX);
    event.forbidden = forbidden(situation, &seeds);
    if swiss.is_accelerated {
        pairing::baku::accelerate(&mut event);
    }
    (event, seeds)
}

/// Who must not meet, by places among the seeds.
fn forbidden(situation: &Situation<'_>, seeds: &[usize]) -> Vec<Forbidden> {
    let pairs = seeds.iter().enumerate().flat_map(|(i, &one)| {
        let others = seeds.iter().enumerate().skip(i + 1);
        others
            .filter(move |&(_, &other)| situation.is_forbidden(one, other))
            .map(move |(j, _)| Forbidden {
                players: vec![i, j],
                rounds: None,
            })
    });
    pairs.collect()
}

/// What a player did in a round. `places` are the places of all players among the seeds.
fn did(played: &Played, player: usize, places: &[usize]) -> Round {
    let Some(other) = played.meeting.opponent(player) else {
        return Round::PairingBye;
    };
    let (opponent, colour) = (places[other], colour(played.color(player, 0)));
    let is_walkover = |end: &GameEnd| end.is_walkover || end.result.is_none();
    let half_points = played.half_points(player);
    let lost = played.half_points(other);
    if played.is_finished()
        && played.ends.iter().flatten().all(is_walkover)
        && (half_points != lost || half_points == 0)
    {
        return Round::Forfeit {
            opponent,
            colour: Some(colour),
            won: half_points > lost,
        };
    }
    let mut tallies = [Tally::default(); 2];
    for (game, end) in played.ends.iter().enumerate() {
        let Some(result) = end.and_then(|end| end.result) else {
            continue;
        };
        let color = played.color(player, game);
        let tally = &mut tallies[color as usize];
        match result.half_points(color) {
            0 => tally.losses += 1,
            1 => tally.draws += 1,
            _ => tally.wins += 1,
        }
    }
    if played.ends.len() == 1 && played.is_finished() {
        let tally = tallies[played.color(player, 0) as usize];
        return Round::Played {
            opponent,
            colour,
            outcome: match (tally.wins, tally.draws) {
                (1, _) => pairing::Outcome::Win,
                (_, 1) => pairing::Outcome::Draw,
                _ => pairing::Outcome::Loss,
            },
            rated: true,
        };
    }
    Round::Match {
        opponent,
        colour,
        white: tallies[Color::White as usize],
        black: tallies[Color::Black as usize],
    }
}

/// A colour, as the crate `pairing` calls it.
pub(crate) const fn colour(color: Color) -> Colour {
    match color {
        Color::White => Colour::White,
        Color::Black => Colour::Black,
    }
}

/// The half points of a player who is not paired in a round: those of a bye that it asked for.
#[must_use]
pub fn requested_half_points(situation: &Situation<'_>, player: usize, round: usize) -> usize {
    if situation.entrants[player].byes.contains(&round) {
        situation.games_per_pairing
    } else {
        0
    }
}
