//! Results against shakmaty-syzygy, an independent reader.

mod common;

use std::fs;
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::{ROLES, random_position, setup, shared_tables, small_tables};
use epode_syzygy::movegen::{Bitboard, Color, Piece, Position, Rank, Role, Square};
use epode_syzygy::{Tablebases, Wdl};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use shakmaty::{CastlingMode, Chess, PositionError, Setup as TheirSetup};
use shakmaty_syzygy as peer;
use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};

/// Files in memory: the default of the peer reads each part of each probe from the disk.
struct InMemory;

impl Filesystem for InMemory {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        Ok(path.metadata()?.len())
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect()
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        Ok(Box::new(Contents(fs::read(path)?)))
    }
}

struct Contents(Vec<u8>);

impl RandomAccessFile for Contents {
    fn read_at(&self, buffer: &mut [u8], at: u64, _: ReadHint) -> io::Result<usize> {
        let rest = self.0.get(at as usize..);
        let rest = rest.ok_or(Error::from(io::ErrorKind::UnexpectedEof))?;
        let len = rest.len().min(buffer.len());
        buffer[..len].copy_from_slice(&rest[..len]);
        Ok(len)
    }
}

/// The position in the other library, which also refuses checks that cannot arise in a game.
fn theirs(position: &Position) -> Chess {
    let mut setup = TheirSetup::empty();
    for square in position.occupied() {
        let piece = position.piece_at(square).expect("occupied").to_char();
        let piece = shakmaty::Piece::from_char(piece).expect("a piece");
        let square = shakmaty::Square::new(square as u32);
        setup.board.set_piece_at(square, piece);
    }
    setup.turn = shakmaty::Color::from_white(position.turn() == Color::White);
    setup.ep_square = position
        .en_passant()
        .map(|square| shakmaty::Square::new(square as u32));
    let theirs = setup.position(CastlingMode::Standard);
    theirs
        .or_else(PositionError::ignore_impossible_check)
        .expect("legal")
}

struct Readers {
    ours: Tablebases,
    theirs: peer::Tablebase<Chess>,
}

impl Readers {
    fn open(folder: &Path) -> Self {
        let ours = Tablebases::open(folder).expect("tables");
        assert_eq!(ours.bad_tables(), []);
        let mut theirs = peer::Tablebase::with_filesystem(Arc::new(InMemory));
        theirs.add_directory(folder).expect("tables");
        Self { ours, theirs }
    }

    /// Compares both results of a position.
    fn compare(&self, position: &Position) {
        let theirs = theirs(position);
        let wdl = self
            .theirs
            .probe_wdl_after_zeroing(&theirs)
            .expect("a result");
        let wdl = match wdl {
            peer::Wdl::Loss => Wdl::Loss,
            peer::Wdl::BlessedLoss => Wdl::BlessedLoss,
            peer::Wdl::Draw => Wdl::Draw,
            peer::Wdl::CursedWin => Wdl::CursedWin,
            peer::Wdl::Win => Wdl::Win,
        };
        assert_eq!(self.ours.wdl(position), Ok(wdl), "{position}");
        let dtz = self.theirs.probe_dtz(&theirs).expect("a distance");
        let dtz = i32::from(dtz.ignore_rounding());
        assert_eq!(self.ours.dtz(position), Ok(dtz), "{position}");
    }

    /// Compares the legal positions of three pieces, the piece of a given color: one of every so many.
    fn compare_three_pieces(&self, color: Color, step: usize) -> u32 {
        let mut count = 0;
        for role in ROLES {
            for i in (0..64 * 64 * 64 * 2).step_by(step) {
                let [white, black, other] =
                    [0, 6, 12].map(|shift| Square::from_index(i >> shift & 63));
                let pieces = [
                    (Piece::new(Color::White, Role::King), white),
                    (Piece::new(Color::Black, Role::King), black),
                    (Piece::new(color, role), other),
                ];
                let turn = Color::ALL[i >> 18];
                if white == black || white == other || black == other {
                    continue;
                }
                if let Ok(position) = Position::from_setup(&setup(&pieces, turn)) {
                    self.compare(&position);
                    count += 1;
                }
            }
        }
        count
    }
}

#[test]
fn positions_of_three_pieces() {
    let readers = Readers::open(&small_tables());
    for color in Color::ALL {
        // A step without factors of two visits all squares.
        assert!(readers.compare_three_pieces(color, 15) > 120_000);
    }
}

#[test]
#[ignore = "a minute; last run in November 2026"]
fn every_position_of_three_pieces() {
    let readers = Readers::open(&small_tables());
    for color in Color::ALL {
        assert_eq!(readers.compare_three_pieces(color, 1), 1_945_584);
    }
}

/// Compares random positions of four pieces.
fn compare_four_pieces(count: u32) {
    let Some(folder) = shared_tables() else {
        return;
    };
    let readers = Readers::open(&folder);
    assert_eq!((readers.ours.count(), readers.ours.max_pieces()), (35, 4));
    let mut rng = StdRng::seed_from_u64(22);
    for _ in 0..count {
        readers.compare(&random_position(&mut rng, 2));
    }
}

#[test]
fn random_positions_of_four_pieces_shared() {
    compare_four_pieces(20_000);
}

#[test]
#[ignore = "a minute; last run in November 2026"]
fn many_random_positions_of_four_pieces_shared() {
    compare_four_pieces(200_000);
}

/// No table knows en passant captures.
#[test]
fn positions_with_en_passant_shared() {
    let Some(folder) = shared_tables() else {
        return;
    };
    let readers = Readers::open(&folder);
    let mut rng = StdRng::seed_from_u64(23);
    let mut count = 0;
    while count < 5_000 {
        let turn = Color::ALL[rng.random_range(0..2)];
        let pawn = Square::from_index(rng.random_range(32..39));
        let other = Square::from_index(pawn.index() + 1);
        let (own, rival) = if rng.random() {
            (pawn, other)
        } else {
            (other, pawn)
        };
        let mut square = || Square::from_index(rng.random_range(0..64));
        let kings = [square(), square()];
        let skipped = Square::new(rival.file(), Rank::R6).relative_to(turn);
        let [own, rival] = [own, rival].map(|square| square.relative_to(turn));
        let pieces = [
            (Piece::new(turn, Role::Pawn), own),
            (Piece::new(!turn, Role::Pawn), rival),
            (Piece::new(turn, Role::King), kings[0]),
            (Piece::new(!turn, Role::King), kings[1]),
        ];
        let squares: Bitboard = pieces.iter().map(|&(_, square)| square).collect();
        let mut setup = setup(&pieces, turn);
        setup.en_passant = Some(skipped);
        if let Ok(position) = Position::from_setup(&setup)
            && squares.len() == 4
            && position.legal_en_passant().is_some()
        {
            readers.compare(&position);
            count += 1;
        }
    }
}
