//! An event as far as pairing needs it: players in order of seed, and what each one did in each round.

use std::fmt;

/// The colour of the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// White.
    White,
    /// Black.
    Black,
}

impl Colour {
    /// The other colour.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// Points, counted in tenths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score {
    /// Ten times the points.
    pub tenths: u32,
}

impl Score {
    /// A score in tenths of a point.
    #[must_use]
    pub const fn tenths(tenths: u32) -> Self {
        Self { tenths }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{}", self.tenths / 10, self.tenths % 10))
    }
}

/// How many points the result of a game gives. In a meeting of several games, byes, forfeits and absence give these points
/// for each of its games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointSystem {
    /// A win, also by forfeit, and a full-point bye.
    pub win: Score,
    /// A draw, and a half-point bye.
    pub draw: Score,
    /// A game that was played and lost.
    pub loss: Score,
    /// A game lost by forfeit.
    pub forfeit_loss: Score,
    /// A round without a pairing and without a bye that gives points.
    pub absence: Score,
    /// The bye given to the player left over by the pairing.
    pub pairing_bye: Score,
}

impl Default for PointSystem {
    fn default() -> Self {
        let none = Score::tenths(0);
        let win = Score::tenths(10);
        Self {
            win,
            draw: Score::tenths(5),
            loss: none,
            forfeit_loss: none,
            absence: none,
            pairing_bye: win,
        }
    }
}

/// How a game ended for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The player won.
    Win,
    /// A draw.
    Draw,
    /// The player lost.
    Loss,
}

impl Outcome {
    /// How the game ended for the opponent.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }
}

/// How several games ended for a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many the player won.
    pub wins: u32,
    /// How many were drawn.
    pub draws: u32,
    /// How many the player lost.
    pub losses: u32,
}

impl Tally {
    /// How many games there were.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.wins
            .saturating_add(self.draws)
            .saturating_add(self.losses)
    }

    /// How the games ended for the opponent.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }

    fn tenths(&self, points: &PointSystem) -> u32 {
        self.wins * points.win.tenths
            + self.draws * points.draw.tenths
            + self.losses * points.loss.tenths
    }
}

/// What a player did in a round. Opponents are indices in [`Event::players`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// A game that was played.
    Played {
        /// The other player.
        opponent: usize,
        /// The player's own colour.
        colour: Colour,
        /// How it ended.
        outcome: Outcome,
        /// Whether it counts for ratings.
        rated: bool,
    },
    /// A meeting of several games that was played.
    Match {
        /// The other player.
        opponent: usize,
        /// The player's own colour in the first game; it alternates from there.
        colour: Colour,
        /// How the games with White ended. A game that is in neither tally was played by neither player, and gives each
        /// the points of a forfeit.
        white: Tally,
        /// How the games with Black ended.
        black: Tally,
    },
    /// A game or meeting that was not played since one player, or both, did not appear. The two may be paired again.
    Forfeit {
        /// The other player.
        opponent: usize,
        /// The colour that the player would have had.
        colour: Option<Colour>,
        /// Whether the player was there.
        won: bool,
    },
    /// The bye of the player left over by the pairing.
    PairingBye,
    /// A bye asked for, with the points of a win.
    FullPointBye,
    /// A bye asked for, with the points of a draw.
    HalfPointBye,
    /// Absent.
    Absent,
}

impl Round {
    /// The opponent, if there was one.
    #[must_use]
    pub fn opponent(&self) -> Option<usize> {
        match *self {
            Self::Played { opponent, .. }
            | Self::Match { opponent, .. }
            | Self::Forfeit { opponent, .. } => Some(opponent),
            _ => None,
        }
    }

    /// The player's own colour, in a meeting of several games that in the first one.
    #[must_use]
    pub fn colour(&self) -> Option<Colour> {
        match *self {
            Self::Played { colour, .. } | Self::Match { colour, .. } => Some(colour),
            Self::Forfeit { colour, .. } => colour,
            _ => None,
        }
    }

    /// Whether the player played.
    #[must_use]
    pub fn was_played(&self) -> bool {
        matches!(self, Self::Played { .. } | Self::Match { .. })
    }

    /// Whether the pairing of that round included the player.
    #[must_use]
    pub fn was_paired(&self) -> bool {
        self.opponent().is_some() || *self == Self::PairingBye
    }

    /// The points for it, where two players who are paired play `games` games.
    #[must_use]
    pub fn score(&self, points: &PointSystem, games: u32) -> Score {
        let of_a_game = match self {
            Self::Match { white, black, .. } => {
                let played = white.tenths(points) + black.tenths(points);
                let missing = games.saturating_sub(white.games() + black.games());
                return Score::tenths(played + missing * points.forfeit_loss.tenths);
            }
            Self::Played {
                outcome: Outcome::Win,
                ..
            }
            | Self::Forfeit { won: true, .. }
            | Self::FullPointBye => points.win,
            Self::Played {
                outcome: Outcome::Draw,
                ..
            }
            | Self::HalfPointBye => points.draw,
            Self::Played {
                outcome: Outcome::Loss,
                ..
            } => points.loss,
            Self::Forfeit { won: false, .. } => points.forfeit_loss,
            Self::PairingBye => points.pairing_bye,
            Self::Absent => points.absence,
        };
        Score::tenths(games * of_a_game.tenths)
    }
}

/// A player of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// The name.
    pub name: String,
    /// The rating, zero if there is none. Pairing ignores it: the order of the players is what counts.
    pub rating: u32,
    /// What the player did in each round that was paired; then, if the player asked for a bye in the round to pair or is
    /// absent or has withdrawn, that.
    pub rounds: Vec<Round>,
    /// Points added for pairing in each round from the first on, as of an accelerated event.
    pub virtual_points: Vec<Score>,
}

/// Players who must not be paired with each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forbidden {
    /// Any two of these.
    pub players: Vec<usize>,
    /// The rounds in which, from zero on; without one, in all.
    pub rounds: Option<std::ops::RangeInclusive<usize>>,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// How many rounds the event has.
    pub rounds: usize,
    /// How many rounds were paired so far.
    pub paired: usize,
    /// How many games two players play when they are paired; the colours alternate.
    pub games: u32,
    /// The colour of the first seed in the first round (in its first game), drawn by lot.
    pub first_colour: Colour,
    /// The points for each result.
    pub points: PointSystem,
    /// The players, the strongest first. A late entry takes the place of its strength.
    pub players: Vec<Player>,
    /// Who must not meet.
    pub forbidden: Vec<Forbidden>,
}

impl Event {
    /// An event before its first round.
    #[must_use]
    pub fn new(rounds: usize, first_colour: Colour, players: Vec<Player>) -> Self {
        Self {
            rounds,
            paired: 0,
            games: 1,
            first_colour,
            points: PointSystem::default(),
            players,
            forbidden: Vec::new(),
        }
    }

    /// The points that a player won in the first `rounds` rounds.
    #[must_use]
    pub fn score(&self, player: usize, rounds: usize) -> Score {
        let won = self.players[player]
            .rounds
            .iter()
            .take(rounds)
            .map(|round| round.score(&self.points, self.games).tenths);
        Score::tenths(won.sum())
    }

    /// The points by which a player is paired in a round (from zero on): those won before it and the virtual ones.
    #[must_use]
    pub fn pairing_score(&self, player: usize, round: usize) -> Score {
        let added = self.players[player]
            .virtual_points
            .get(round)
            .copied()
            .unwrap_or_default();
        Score::tenths(self.score(player, round).tenths + added.tenths)
    }

    /// Whether a player is paired in the next round.
    #[must_use]
    pub fn is_present(&self, player: usize) -> bool {
        self.players[player].rounds.len() == self.paired
    }

    /// The event as it was when a round (from zero on) was to be paired: what was not part of that pairing stays.
    #[must_use]
    pub fn before(&self, round: usize) -> Self {
        let mut earlier = self.clone();
        earlier.paired = round;
        for player in &mut earlier.players {
            let announced = player
                .rounds
                .get(round)
                .is_some_and(|entry| !entry.was_paired());
            player.rounds.truncate(round + usize::from(announced));
        }
        earlier
    }
}
