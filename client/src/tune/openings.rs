//! The positions that games begin from.

use anyhow::{Context, bail};
use crc::{CRC_32_ISO_HDLC, Crc};
use movegen::pgn::{Games, PgnError};
use movegen::{Game, Position};
use rand::RngExt;

use crate::cli::Castling;
use crate::io::input::{Blocks, Message, Records, reader};
use crate::io::pgn::{PgnGroups, is_pgn};
use crate::io::stream::Stream;

/// The length of random openings in plies.
const RANDOM_PLIES: usize = 8;
/// The maximum length of the games of a book in plies.
const MAX_PLIES: usize = 500;

/// Where openings come from.
pub enum Openings {
    /// Positions in FEN, which takes less memory.
    Book(Vec<Box<str>>),
    /// Random moves from the starting position.
    Random,
}

/// An opening, with its number in the book, from 1.
pub struct Opening {
    pub number: Option<usize>,
    pub position: Position,
}

impl Openings {
    /// Reads all openings of a file. The first line that cannot be read is an error.
    pub fn read(stream: &Stream, castling: Castling) -> anyhow::Result<Self> {
        let blocks = Blocks::open(stream)?;
        let mut fens = Vec::new();
        let mut add = |position: Position| {
            if Game::new(position).draw().is_none() && position.count_moves() > 0 {
                fens.push(position.to_string().into_boxed_str());
            }
        };
        if is_pgn(blocks.beginning()) {
            read_games(stream, blocks, &mut add)?;
        } else {
            for line in Records::new(blocks, reader(false, castling)) {
                let line = line?;
                line.tell_dropped(stream);
                let at = |column, text: &dyn std::fmt::Display| {
                    let line = line.line;
                    let message = Message {
                        stream,
                        line,
                        column,
                        text,
                    };
                    anyhow::anyhow!("{message}")
                };
                match &line.record {
                    Ok(record) => add(record.position().map_err(|fault| at(None, &fault))?),
                    Err(error) if error.is_harmless => {}
                    Err(error) => return Err(at(Some(error.place.1), &error.message)),
                }
            }
        }
        if fens.is_empty() {
            bail!("{stream} has no position to play from");
        }
        Ok(Self::Book(fens))
    }

    /// A checksum of the book.
    pub fn checksum(&self) -> Option<u32> {
        const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
        let Self::Book(fens) = self else {
            return None;
        };
        let mut digest = CRC.digest();
        for fen in fens {
            digest.update(fen.as_bytes());
        }
        Some(digest.finalize())
    }

    /// An opening, drawn at random.
    pub fn draw(&self, random: &mut impl rand::Rng) -> anyhow::Result<Opening> {
        match self {
            Self::Book(fens) => {
                let at = random.random_range(0..fens.len());
                let position = fens[at].parse().context("an opening")?;
                Ok(Opening {
                    number: Some(at + 1),
                    position,
                })
            }
            Self::Random => Ok(Opening {
                number: None,
                position: random_position(random),
            }),
        }
    }
}

fn random_position(random: &mut impl rand::Rng) -> Position {
    loop {
        let mut position = Position::start();
        for _ in 0..RANDOM_PLIES {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.random_range(0..moves.len())]);
        }
        if position.count_moves() > 0 {
            return position;
        }
    }
}

fn read_games(
    stream: &Stream,
    blocks: Blocks,
    add: &mut dyn FnMut(Position),
) -> anyhow::Result<()> {
    for group in PgnGroups::new(blocks) {
        for game in group?.games {
            let text = String::from_utf8_lossy(&game.bytes);
            for read in Games::new(&text, MAX_PLIES) {
                let read = read.map_err(|PgnError { place, kind }| {
                    let message = Message {
                        stream,
                        line: game.line + place.line - 1,
                        column: Some(place.column),
                        text: kind,
                    };
                    anyhow::anyhow!("{message}")
                })?;
                add(read.position);
            }
        }
    }
    Ok(())
}
