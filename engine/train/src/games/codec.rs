//! Games as columns of small numbers, which compress well.
//!
//! A move is its index among the legal moves, ordered by origin, destination and promotion. A score
//! is its difference to the previous score of the game, as a signed variable-length integer; the score
//! of a branch is its difference to the score of the position from which the branch departs. The
//! columns, each preceded by its length as a variable-length integer:
//!
//! 1. for each game, 1 if it starts from the starting position, else 0 and the position in 32 bytes
//!    ([`DataPoint`]);
//! 2. for each game its result (0 to 2) in one byte, or if only every so many-th ply is a data point, 3 more and
//!    this number in a second byte; then the moves of the opening and the moves after it;
//! 3. all moves of the games;
//! 4. the scores;
//! 5. for each scored move the number of moves of its branch, 0 for no branch;
//! 6. the moves of the branches;
//! 7. the scores of the branches.

use std::num::NonZeroU8;

use engine::Score;
use movegen::{Move, MoveList, Position};

use crate::data_point::{DataPoint, GameResult};
use crate::selfplay::{Branch, PlayedGame, PlayedPly};

const COLUMNS: usize = 7;
const STARTS: usize = 0;
const GAMES: usize = 1;
const MOVES: usize = 2;
const SCORES: usize = 3;
const BRANCHES: usize = 4;
const BRANCH_MOVES: usize = 5;
const BRANCH_SCORES: usize = 6;

/// The compression level is high because files are kept for long; blocks are small.
const LEVEL: i32 = 19;
/// A block that would expand to more than this is damaged.
const LARGEST: usize = 1 << 28;

/// A game that cannot be stored.
#[derive(Debug, thiserror::Error)]
#[error("a self-play game has an illegal move")]
pub struct Illegal;

/// The legal moves in the order in which they are numbered.
fn numbered_moves(position: &Position) -> MoveList {
    let mut moves = position.legal_moves();
    moves.sort_unstable_by_key(|mv| {
        let promotion = mv.promotes_to().map_or(0, |role| 1 + role as usize);
        (mv.from() as usize, mv.to() as usize, promotion)
    });
    moves
}

/// Encodes and compresses games.
pub fn encode(games: &[PlayedGame]) -> Result<Vec<u8>, Illegal> {
    let mut columns: [Vec<u8>; COLUMNS] = Default::default();
    for game in games {
        encode_game(game, &mut columns)?;
    }
    let mut bytes = Vec::new();
    for column in &columns {
        put_number(&mut bytes, column.len() as u64);
        bytes.extend_from_slice(column);
    }
    zstd::bulk::compress(&bytes, LEVEL).map_err(|_| Illegal)
}

fn encode_game(game: &PlayedGame, columns: &mut [Vec<u8>; COLUMNS]) -> Result<(), Illegal> {
    // By text, because equality of positions ignores move number and clock.
    let is_normal = game.start.to_string() == Position::start().to_string();
    columns[STARTS].push(u8::from(is_normal));
    if !is_normal {
        let start = DataPoint::new(game.start, Score::DRAW, None);
        columns[STARTS].extend_from_slice(&start.to_bytes());
    }
    let label_every = game.label_every.get();
    if label_every == 1 {
        columns[GAMES].push(game.result as u8);
    } else {
        let results = GameResult::ALL.len() as u8;
        columns[GAMES].extend([results + game.result as u8, label_every]);
    }
    put_number(&mut columns[GAMES], game.opening.len() as u64);
    put_number(&mut columns[GAMES], game.plies.len() as u64);
    let mut position = game.start;
    for &mv in &game.opening {
        put_move(&mut columns[MOVES], &mut position, mv)?;
    }
    let mut before = 0;
    for ply in &game.plies {
        let score = ply.score.ce();
        put_signed(&mut columns[SCORES], score - before);
        before = score;
        let branch_moves = ply.branch.as_ref().map_or(0, |branch| branch.moves.len());
        put_number(&mut columns[BRANCHES], branch_moves as u64);
        if let Some(branch) = &ply.branch {
            let mut aside = position;
            for &mv in &branch.moves {
                put_move(&mut columns[BRANCH_MOVES], &mut aside, mv)?;
            }
            put_signed(&mut columns[BRANCH_SCORES], branch.score.ce() - score);
        }
        put_move(&mut columns[MOVES], &mut position, ply.best)?;
    }
    Ok(())
}

/// Writes the number of a move and plays it.
fn put_move(column: &mut Vec<u8>, position: &mut Position, mv: Move) -> Result<(), Illegal> {
    let moves = numbered_moves(position);
    let number = moves.iter().position(|&other| other == mv).ok_or(Illegal)?;
    column.push(u8::try_from(number).map_err(|_| Illegal)?);
    position.play_unchecked(mv);
    Ok(())
}

/// Seven bits a byte, the low ones first; all but the last byte have the high bit set.
fn put_number(column: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        column.push(number as u8 | 0x80);
        number >>= 7;
    }
    column.push(number as u8);
}

/// Zigzag: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
fn put_signed(column: &mut Vec<u8>, number: i32) {
    put_number(column, u64::from((number << 1 ^ number >> 31) as u32));
}

/// Decodes this number of games; `None` if the bytes are damaged.
pub fn decode(compressed: &[u8], count: usize) -> Option<Vec<PlayedGame>> {
    let bytes = zstd::bulk::decompress(compressed, LARGEST).ok()?;
    let mut rest = Column(&bytes);
    let mut columns = [Column(&[]); COLUMNS];
    for column in &mut columns {
        let length = usize::try_from(rest.number()?).ok()?;
        *column = Column(rest.bytes(length)?);
    }
    let games: Option<Vec<_>> = (0..count).map(|_| decode_game(&mut columns)).collect();
    columns
        .iter()
        .all(|column| column.0.is_empty())
        .then_some(games?)
}

fn decode_game(columns: &mut [Column<'_>; COLUMNS]) -> Option<PlayedGame> {
    let start = match columns[STARTS].byte()? {
        1 => Position::start(),
        0 => {
            let stored = columns[STARTS].bytes(DataPoint::SIZE)?;
            DataPoint::from_bytes(stored.first_chunk()?).ok()?.position
        }
        _ => return None,
    };
    let result = usize::from(columns[GAMES].byte()?);
    let (result, label_every) = match result.checked_sub(GameResult::ALL.len()) {
        None => (result, NonZeroU8::MIN),
        Some(result) => (result, NonZeroU8::new(columns[GAMES].byte()?)?),
    };
    let result = *GameResult::ALL.get(result)?;
    let (openings, scored) = (columns[GAMES].number()?, columns[GAMES].number()?);
    let mut position = start;
    let opening = (0..openings).map(|_| columns[MOVES].play(&mut position));
    let opening = opening.collect::<Option<_>>()?;
    let mut plies = Vec::new();
    let mut before = 0;
    for _ in 0..scored {
        let score = columns[SCORES].score(before)?;
        before = score.ce();
        let branch_moves = columns[BRANCHES].number()?;
        let mut branch = None;
        if branch_moves > 0 {
            let mut aside = position;
            let moves = (0..branch_moves).map(|_| columns[BRANCH_MOVES].play(&mut aside));
            branch = Some(Branch {
                moves: moves.collect::<Option<_>>()?,
                score: columns[BRANCH_SCORES].score(before)?,
            });
        }
        plies.push(PlayedPly {
            best: columns[MOVES].play(&mut position)?,
            score,
            branch,
        });
    }
    Some(PlayedGame {
        start,
        opening,
        plies,
        label_every,
        result,
    })
}

/// The rest of a column.
#[derive(Clone, Copy)]
struct Column<'a>(&'a [u8]);

impl<'a> Column<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn score(&mut self, before: i32) -> Option<Score> {
        let zigzag = u32::try_from(self.number()?).ok()?;
        let difference = (zigzag >> 1) as i32 ^ -((zigzag & 1) as i32);
        let score = i16::try_from(before.checked_add(difference)?).ok()?;
        Some(Score::from_ce(score))
    }

    /// Reads a move and plays it.
    fn play(&mut self, position: &mut Position) -> Option<Move> {
        let mv = *numbered_moves(position).get(usize::from(self.byte()?))?;
        position.play_unchecked(mv);
        Some(mv)
    }
}
