//! The positions of games or of records.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use epd::Record;
use epd::lines::decode;
use movegen::pgn::{Games, PgnError, ReadGame};
use movegen::{Move, Position};

use crate::cli::Castling;
use crate::io::compression::Compression;
use crate::io::input::{Blocks, Message, NumberedLine, Records, reader};
use crate::io::pgn::{GameGroup, PgnGroups, is_pgn, position_name};
use crate::io::stream::Stream;

/// A game with the positions to look at, or a record with one.
#[derive(Debug, Default)]
pub struct Game {
    pub positions: Vec<Candidate>,
    /// What is wrong with it; its positions before that are there.
    pub error: Option<String>,
    /// What was dropped from it.
    pub remark: Option<String>,
}

/// A position to look at.
#[derive(Debug)]
pub struct Candidate {
    pub record: Record,
    pub position: Position,
    /// The move before it, with the position in which it was played.
    pub last: Option<(Position, Move)>,
}

/// Reads PGN or EPD.
pub struct Source {
    stream: Stream,
    plies: RangeInclusive<usize>,
    compression: Option<Compression>,
    input: Input,
}

enum Input {
    Games {
        groups: Box<PgnGroups<Blocks>>,
        read: VecDeque<Game>,
    },
    Records(Box<Records<'static>>),
}

impl Source {
    /// Opens a file; its first line tells what it is.
    pub fn open(
        stream: &Stream,
        plies: RangeInclusive<usize>,
        castling: Castling,
    ) -> anyhow::Result<Self> {
        let blocks = Blocks::open(stream)?;
        let compression = blocks.compression();
        let input = if is_pgn(blocks.beginning()) {
            Input::Games {
                groups: Box::new(PgnGroups::new(blocks)),
                read: VecDeque::new(),
            }
        } else {
            Input::Records(Box::new(Records::new(blocks, reader(false, castling))))
        };
        Ok(Self {
            stream: stream.clone(),
            plies,
            compression,
            input,
        })
    }

    pub fn compression(&self) -> Option<Compression> {
        self.compression
    }
}

impl Iterator for Source {
    type Item = anyhow::Result<Game>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.input {
            Input::Records(records) => {
                let line = records.next()?;
                Some(line.map(|line| of_record(&self.stream, line)))
            }
            Input::Games { groups, read } => {
                while read.is_empty() {
                    match groups.next()? {
                        Ok(group) => *read = of_group(&self.stream, &group, &self.plies),
                        Err(error) => return Some(Err(error)),
                    }
                }
                read.pop_front().map(Ok)
            }
        }
    }
}

fn of_record(stream: &Stream, numbered: NumberedLine) -> Game {
    let NumberedLine {
        line,
        record,
        dropped,
        ..
    } = numbered;
    let message = |column, text: &dyn std::fmt::Display| {
        Some(
            Message {
                stream,
                line,
                column,
                text,
            }
            .to_string(),
        )
    };
    let record = match record {
        Ok(record) => record,
        Err(error) => {
            let error = message(Some(error.place.1), &error.message);
            return Game {
                error,
                ..Game::default()
            };
        }
    };
    match record.position() {
        Ok(position) => {
            let candidate = Candidate {
                record,
                position,
                last: None,
            };
            Game {
                positions: vec![candidate],
                remark: dropped.map(|dropped| dropped.message(stream).to_string()),
                ..Game::default()
            }
        }
        Err(error) => Game {
            error: message(None, &error),
            ..Game::default()
        },
    }
}

fn of_group(stream: &Stream, group: &GameGroup, plies: &RangeInclusive<usize>) -> VecDeque<Game> {
    let mut found = VecDeque::new();
    for game in &group.games {
        let text = decode(&game.bytes);
        for read in Games::new(&text, plies.end().saturating_add(1)) {
            found.push_back(match read {
                Ok(read) => Game {
                    positions: candidates(&read, plies),
                    ..Game::default()
                },
                Err(PgnError { place, kind }) => {
                    let line = game.line + place.line - 1;
                    let column = Some(place.column);
                    let message = Message {
                        stream,
                        line,
                        column,
                        text: kind,
                    };
                    Game {
                        error: Some(message.to_string()),
                        ..Game::default()
                    }
                }
            });
        }
    }
    found
}

fn candidates(game: &ReadGame, plies: &RangeInclusive<usize>) -> Vec<Candidate> {
    let mut position = game.start;
    let mut last = None;
    let mut candidates = Vec::new();
    for ply in 0..=game.moves.len() {
        if plies.contains(&ply) {
            let mut record = Record::new(position.setup());
            record.set_id(&position_name(game, ply));
            candidates.push(Candidate {
                record,
                position,
                last,
            });
        }
        if let Some(&mv) = game.moves.get(ply) {
            last = Some((position, mv));
            position.play(mv);
        }
    }
    candidates
}
