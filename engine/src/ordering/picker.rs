//! Staged move generation and ordering: TT move, good captures, killers, quiet moves by
//! history, bad captures. A stage is generated only when the search needs it
//! (<https://www.chessprogramming.org/Move_Ordering>).

use arrayvec::ArrayVec;
use movegen::{MAX_MOVES, Move, MoveKind, MoveList, Position, Role, Square};

use crate::ordering::checks::Checks;
use crate::ordering::history::{History, HistoryContext};
use crate::ordering::see;
use crate::search::params::{check_bonus, check_loss, noisy_history_divisor, noisy_see_divisor};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Table,
    MakeNoisy,
    GoodNoisy,
    Killers,
    MakeQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// Which moves a picker returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All legal moves.
    All,
    /// Captures and promotions whose static exchange evaluation is at least this, in centipawns.
    Noisy(i32),
}

/// The sort key of a move that is excluded or was already returned.
const USED: i32 = i32::MIN;
/// The bits of a sort key that hold the index into the move list.
const PLACE_BITS: u32 = 9;
const _: () = assert!(MAX_MOVES <= 1 << PLACE_BITS);

/// Returns each legal move of a position once, best first.
pub(crate) struct MovePicker {
    wanted: Wanted,
    stage: Stage,
    tt_move: Option<Move>,
    killers: [Option<Move>; 2],
    context: HistoryContext,
    killers_tried: usize,
    /// The moves of the current stage and their sort keys: the value in the upper bits, the index
    /// in the lower bits so that the first of equals wins, or [`USED`].
    moves: MoveList,
    keys: ArrayVec<i32, MAX_MOVES>,
    bad_noisy: MoveList,
    checks: Option<Checks>,
}

/// MVV-LVA: the most valuable victim first, then the least valuable attacker
/// (<https://www.chessprogramming.org/MVV-LVA>).
fn noisy_value(position: &Position, mv: Move) -> i32 {
    let captured = match mv.kind() {
        MoveKind::EnPassant => see::value(Role::Pawn),
        _ => position.role_at(mv.to()).map_or(0, see::value),
    };
    let promoted = mv.promotes_to().map_or(0, see::value);
    let attacker = position.role_at(mv.from()).map_or(0, |role| role as i32);
    8 * (captured + promoted) - attacker
}

impl MovePicker {
    /// `tt_move` need not be legal: the picker checks it.
    pub fn new(
        position: &Position,
        wanted: Wanted,
        tt_move: Option<Move>,
        killers: [Option<Move>; 2],
        context: HistoryContext,
    ) -> Self {
        let fits = |mv: &Move| {
            (wanted == Wanted::All || is_noisy(position, *mv)) && position.is_legal(*mv)
        };
        let tt_move = tt_move.filter(fits);
        Self {
            wanted,
            stage: if tt_move.is_some() {
                Stage::Table
            } else {
                Stage::MakeNoisy
            },
            tt_move,
            killers,
            context,
            killers_tried: 0,
            moves: MoveList::new(),
            keys: ArrayVec::new(),
            bad_noisy: MoveList::new(),
            checks: None,
        }
    }

    /// The next move.
    pub fn next(&mut self, position: &Position, history: &History) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::MakeNoisy;
                    return self.tt_move;
                }
                Stage::MakeNoisy => {
                    self.stage = Stage::GoodNoisy;
                    self.make(position, movegen::MoveGenKind::Noisy, |mv| {
                        let seen = history.noisy(position, mv) / noisy_history_divisor();
                        Some(noisy_value(position, mv) + seen)
                    });
                }
                Stage::GoodNoisy => match (self.pop_best(), self.wanted) {
                    (Some(mv), Wanted::All)
                        if see::wins_at_least(
                            position,
                            mv,
                            -history.noisy(position, mv) / noisy_see_divisor(),
                        ) =>
                    {
                        return Some(mv);
                    }
                    (Some(mv), Wanted::All) => self.bad_noisy.push(mv),
                    (None, Wanted::All) => self.stage = Stage::Killers,
                    (Some(mv), Wanted::Noisy(least)) => {
                        if see::wins_at_least(position, mv, least) {
                            return Some(mv);
                        }
                    }
                    (None, Wanted::Noisy(_)) => self.stage = Stage::Done,
                },
                Stage::Killers => {
                    if let Some(mv) = self.next_killer(position) {
                        return Some(mv);
                    }
                    self.stage = Stage::MakeQuiet;
                }
                Stage::MakeQuiet => {
                    self.stage = Stage::Quiet;
                    let killers = self.killers;
                    let checks = self.checks.take().unwrap_or_else(|| Checks::new(position));
                    let quiets = history.quiets(position.turn(), self.context);
                    let mut movers = Movers::new(position);
                    self.make(position, movegen::MoveGenKind::Quiet, |mv| {
                        if killers.contains(&Some(mv)) {
                            return None;
                        }
                        let role = movers.role(mv.from());
                        let check = checks.has_of(position, role, mv)
                            && see::wins_at_least(position, mv, -check_loss());
                        Some(quiets.value(role, mv) + check_bonus() * i32::from(check))
                    });
                    self.checks = Some(checks);
                }
                Stage::Quiet => {
                    if let Some(mv) = self.pop_best() {
                        return Some(mv);
                    }
                    self.end_quiets();
                }
                Stage::BadNoisy => match self.bad_noisy.pop() {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Whether a move gives check.
    pub fn gives_check(&mut self, position: &Position, mv: Move) -> bool {
        let checks = self.checks.get_or_insert_with(|| Checks::new(position));
        checks.has(position, mv)
    }

    /// Skips the remaining quiet moves.
    pub fn skip_quiets(&mut self) {
        if matches!(self.stage, Stage::Killers | Stage::MakeQuiet | Stage::Quiet) {
            self.end_quiets();
        }
    }

    fn end_quiets(&mut self) {
        self.keys.clear();
        // Moves are popped from the end, and the best was pushed first.
        self.bad_noisy.reverse();
        self.stage = Stage::BadNoisy;
    }

    /// The next killer that is a legal quiet move here. Killers that do not fit are cleared, so
    /// that the quiet stage skips only those that were returned.
    fn next_killer(&mut self, position: &Position) -> Option<Move> {
        while self.killers_tried < self.killers.len() {
            let (tried, rest) = self.killers.split_at_mut(self.killers_tried);
            self.killers_tried += 1;
            let slot = &mut rest[0];
            *slot = slot.filter(|&mv| {
                Some(mv) != self.tt_move
                    && !tried.contains(&Some(mv))
                    && !is_noisy(position, mv)
                    && position.is_legal(mv)
            });
            if slot.is_some() {
                return *slot;
            }
        }
        None
    }

    /// Generates and scores the moves of a stage, except the TT move and moves without a value.
    fn make(
        &mut self,
        position: &Position,
        kind: movegen::MoveGenKind,
        mut value: impl FnMut(Move) -> Option<i32>,
    ) {
        position.moves(kind, &mut self.moves);
        self.keys.clear();
        for (i, &mv) in self.moves.iter().enumerate() {
            let wanted = Some(mv) != self.tt_move;
            let value = if wanted { value(mv) } else { None };
            let place = (MAX_MOVES - 1 - i) as i32;
            let key = value.map_or(USED, |value| value << PLACE_BITS | place);
            self.keys.push(key);
        }
    }

    /// Returns the move with the greatest key. The scan covers used keys too: nothing is moved,
    /// and the loop vectorises.
    fn pop_best(&mut self) -> Option<Move> {
        let key = self.keys.iter().copied().max().filter(|&key| key != USED)?;
        let place = MAX_MOVES - 1 - (key & ((1 << PLACE_BITS) - 1)) as usize;
        self.keys[place] = USED;
        Some(self.moves[place])
    }
}

/// Caches the role of the moving piece, since the generator returns the moves of a piece in a row.
struct Movers<'p> {
    position: &'p Position,
    last: (Square, Role),
}

impl<'p> Movers<'p> {
    fn new(position: &'p Position) -> Self {
        let king = position.king(position.turn());
        Self {
            position,
            last: (king, Role::King),
        }
    }

    fn role(&mut self, from: Square) -> Role {
        if from != self.last.0 {
            self.last = (from, self.position.role_at(from).unwrap_or(Role::Pawn));
        }
        self.last.1
    }
}

/// Runs move ordering alone, for benchmarks.
#[doc(hidden)]
pub struct PickerBench(History);

impl Default for PickerBench {
    fn default() -> Self {
        Self(History::new())
    }
}

impl PickerBench {
    /// Runs a picker through all moves of a position and counts them.
    #[must_use]
    pub fn count(&self, position: &Position) -> usize {
        let none = HistoryContext::NONE;
        let mut picker = MovePicker::new(position, Wanted::All, None, [None; 2], none);
        std::iter::from_fn(|| picker.next(position, &self.0)).count()
    }
}

/// Whether a move captures or promotes.
pub(crate) fn is_noisy(position: &Position, mv: Move) -> bool {
    match mv.kind() {
        MoveKind::Promotion | MoveKind::EnPassant => true,
        MoveKind::Castle => false,
        MoveKind::Normal => position.occupied().contains(mv.to()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};

    const STARTS: [&str; 5] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    ];

    /// A random move that may be legal, legal in another position, or nonsense.
    fn any_move(rng: &mut StdRng, legal: &[Move], seen: &[Move]) -> Option<Move> {
        let [from, to] = [(); 2].map(|()| Square::from_index(rng.random_range(0..Square::COUNT)));
        match rng.random_range(0..8) {
            0 => None,
            1..=3 => legal.choose(rng).copied(),
            4 => seen.choose(rng).copied(),
            _ if from == to => None,
            5 => Some(Move::normal(from, to)),
            6 => Some(Move::promotion(
                from,
                to,
                *movegen::Promotion::ALL.choose(rng)?,
            )),
            _ => Some([Move::en_passant, Move::castle][rng.random_range(0..2)](
                from, to,
            )),
        }
    }

    fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
        moves.sort_by_key(|mv| mv.bits());
        moves
    }

    /// Checks the moves of pickers in a position, with arbitrary TT move and killers.
    fn check(rng: &mut StdRng, position: &Position, history: &mut History, seen: &[Move]) {
        let legal = position.legal_moves();
        let [tt_move, one, other] = [(); 3].map(|()| any_move(rng, &legal, seen));
        let killers = [one, if rng.random_bool(0.2) { one } else { other }];
        let context = HistoryContext {
            attacked: position.attacked(),
            ..HistoryContext::NONE
        };
        let context_text = format!("{position}: table {tt_move:?}, killers {killers:?}");
        let picker = |wanted| MovePicker::new(position, wanted, tt_move, killers, context);

        let mut all = picker(Wanted::All);
        let given: Vec<_> = std::iter::from_fn(|| all.next(position, history)).collect();
        assert_eq!(
            sorted(given.clone()),
            sorted(legal.to_vec()),
            "{context_text}"
        );
        assert!(all.next(position, history).is_none(), "{context_text}");
        if let Some(mv) = tt_move.filter(|mv| legal.contains(mv)) {
            assert_eq!(given[0], mv, "{context_text}");
        }

        // If quiet moves are skipped from some point on, each capture is still returned once.
        let mut some = picker(Wanted::All);
        let skipped_after = rng.random_range(0..=legal.len());
        let mut given = Vec::new();
        while let Some(mv) = some.next(position, history) {
            given.push(mv);
            if given.len() >= skipped_after {
                some.skip_quiets();
            }
        }
        let noisy = |moves: &[Move]| {
            let noisy = moves.iter().filter(|&&mv| is_noisy(position, mv));
            sorted(noisy.copied().collect())
        };
        assert_eq!(noisy(&given), noisy(&legal), "{context_text}");
        let mut once = sorted(given.clone());
        once.dedup();
        assert_eq!(once.len(), given.len(), "{context_text}");
        assert!(given.iter().all(|mv| legal.contains(mv)), "{context_text}");

        // A picker of captures returns those that win enough, and the TT move.
        let least = rng.random_range(-200..=200);
        let mut captures = picker(Wanted::Noisy(least));
        let given = std::iter::from_fn(|| captures.next(position, history)).collect();
        let mut expected = noisy(&legal);
        expected.retain(|&mv| Some(mv) == tt_move || see::wins_at_least(position, mv, least));
        assert_eq!(sorted(given), expected, "{context_text}");

        if let Some(&mv) = legal.choose(rng).filter(|&&mv| !is_noisy(position, mv)) {
            history.update_quiet_history(position, (3, 20), context, mv, &[]);
        }
    }

    #[test]
    fn each_legal_move_comes_once() {
        let mut rng = StdRng::seed_from_u64(19);
        let mut history = History::new();
        let mut checks = 0;
        for start in STARTS.iter().cycle().take(100) {
            let mut position: Position = start.parse().expect(start);
            let mut seen = Vec::new();
            for _ in 0..120 {
                check(&mut rng, &position, &mut history, &seen);
                checks += usize::from(position.is_check());
                let moves = position.legal_moves();
                let Some(&mv) = moves.choose(&mut rng) else {
                    break;
                };
                seen.push(mv);
                position.play(mv);
            }
        }
        assert!(checks > 200, "{checks}");
    }
}
