//! Walks through a book along its moves.

use std::collections::{HashMap, HashSet, VecDeque};

use movegen::{Move, Position};

use crate::book::Book;
use crate::entry::BookMove;
use crate::error::BookError;
use crate::names::Name;
use crate::polyglot::{PolyglotBook, key};

/// The positions of a Polyglot book that can be found, each once. A book has only keys: the walk begins at these
/// positions, and follows all legal moves to positions that are in the book, and the book's own moves also to
/// positions that are not, so that it finds those of a book for one side.
#[must_use]
pub fn positions(book: &PolyglotBook, starts: &[Position]) -> Vec<Position> {
    let keys: HashSet<u64> = book.entries().iter().map(|entry| entry.key).collect();
    let mut seen = HashSet::new();
    let mut queue = VecDeque::new();
    let mut found = Vec::new();
    let mut visit = |position: Position, key: u64, queue: &mut VecDeque<Position>| {
        if keys.contains(&key) && seen.insert(key) {
            queue.push_back(position);
        }
    };
    for start in starts {
        visit(*start, key(start), &mut queue);
        replies(start, &mut |position, key| visit(position, key, &mut queue));
    }
    while let Some(position) = queue.pop_front() {
        found.push(position);
        let (_, entries) = book.with_key(key(&position));
        let own: Vec<Move> = entries
            .iter()
            .filter_map(|entry| entry.legal_move(&position))
            .collect();
        for mv in position.legal_moves() {
            let mut next = position;
            next.play(mv);
            let key = key(&next);
            if keys.contains(&key) {
                visit(next, key, &mut queue);
            } else if own.contains(&mv) {
                replies(&next, &mut |position, key| visit(position, key, &mut queue));
            }
        }
    }
    found
}

/// The positions after each legal move, with their keys.
fn replies(position: &Position, see: &mut impl FnMut(Position, u64)) {
    for mv in position.legal_moves() {
        let mut next = *position;
        next.play(mv);
        see(next, key(&next));
    }
}

/// A line through a book.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The moves from the start.
    pub moves: Vec<Move>,
    /// The position after them.
    pub position: Position,
    /// The name of the last position of the line that has one.
    pub name: Option<Name>,
    /// The share of the games that take this line, by the weights of its moves.
    share: f64,
}

/// The openings of a book: the positions that its moves reach from `start` after so many plies, or where the book ends
/// before, each once, by the most likely line. The most likely come first; there are at most `limit`.
///
/// Moves of weight 0 are not followed. The positions of each ply are limited to `limit` too, so that the walk is
/// bounded.
pub fn lines(
    book: &Book,
    start: &Position,
    plies: usize,
    limit: usize,
) -> Result<Vec<Line>, BookError> {
    let mut ended = Vec::new();
    let mut current = vec![Line {
        moves: Vec::new(),
        position: *start,
        name: None,
        share: 1.0,
    }];
    for ply in 0..=plies {
        let mut next: HashMap<Position, Line> = HashMap::new();
        for mut line in current {
            let entry = book.get(&line.position)?;
            line.name = entry.as_ref().and_then(Name::of_entry).or(line.name);
            let moves = match &entry {
                Some(entry) if ply < plies => book.moves_of(entry, &line.position)?,
                _ => Vec::new(),
            };
            let is_followed = follow(&line, &moves, &mut next);
            if !is_followed && !line.moves.is_empty() {
                ended.push(line);
            }
        }
        current = next.into_values().collect();
        most_likely(&mut current, limit);
    }
    // A position at which the book ends can be reached in different numbers of plies.
    most_likely(&mut ended, usize::MAX);
    let mut seen = HashSet::new();
    ended.retain(|line| seen.insert(line.position));
    ended.truncate(limit);
    Ok(ended)
}

/// Adds the lines one ply further; false if there are none. Of two lines to a position, the more likely one stays,
/// with the shares of both.
fn follow(line: &Line, moves: &[BookMove], next: &mut HashMap<Position, Line>) -> bool {
    let weight = |book_move: &BookMove| book_move.stats.weight as f64;
    let total: f64 = moves.iter().map(weight).sum();
    for book_move in moves.iter().filter(|book_move| book_move.stats.weight > 0) {
        let mut longer = line.clone();
        longer.moves.push(book_move.mv);
        longer.position.play(book_move.mv);
        longer.share *= weight(book_move) / total;
        match next.get_mut(&longer.position) {
            None => {
                next.insert(longer.position, longer);
            }
            Some(known) => {
                let share = known.share + longer.share;
                if order(&longer, known).is_lt() {
                    *known = longer;
                }
                known.share = share;
            }
        }
    }
    total > 0.0
}

/// The more likely line first; equal ones are ordered by their moves.
fn order(line: &Line, other: &Line) -> std::cmp::Ordering {
    let bits = |line: &Line| line.moves.iter().map(|mv| mv.bits()).collect::<Vec<_>>();
    let likely = other.share.total_cmp(&line.share);
    likely.then_with(|| bits(line).cmp(&bits(other)))
}

fn most_likely(lines: &mut Vec<Line>, limit: usize) {
    lines.sort_by(order);
    lines.truncate(limit);
}
