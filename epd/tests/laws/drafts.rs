//! Random records to begin with: positions from random games, and operations that fit in a line.

use epode_epd::opcode::{Arity, Basetype, Moves};
use epode_epd::{LexiconEntry, MAX_STRING, Operand, Operation, Record};
use movegen::{Move, Position};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Where random games begin: the starting position, castling on both sides, many pawns, few pieces.
const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/1p1p1p1p/8/P1P1P1P1/1p1p1p1p/8/P1P1P1P1/4K3 w - - 0 1",
    "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
];

/// The position after a random game, and the moves of a random game from there.
pub fn games() -> impl Strategy<Value = (Position, Vec<Move>)> {
    fn play(position: &mut Position, choices: &[Index]) -> Vec<Move> {
        let mut played = Vec::new();
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = *choice.get(&moves);
            position.play(mv);
            played.push(mv);
        }
        played
    }
    let parts = (
        select(&STARTS[..]),
        vec(any::<Index>(), 0..=80),
        vec(any::<Index>(), 0..=8),
    );
    parts.prop_map(|(start, before, after)| {
        let mut position: Position = start.parse().expect(start);
        play(&mut position, &before);
        let line = play(&mut position.clone(), &after);
        (position, line)
    })
}

/// Identifiers of 2 to 15 characters, some of them opcodes of the standard.
fn opcodes() -> impl Strategy<Value = String> {
    let known = select(&["am", "bm", "ce", "c0", "fmvn", "hmvc", "id", "noop", "pv"][..]);
    let letters = select(('a'..='z').chain('A'..='Z').collect::<Vec<_>>());
    let others = ('a'..='z').chain('A'..='Z').chain('0'..='9').chain(['_']);
    let others = select(others.collect::<Vec<_>>());
    let any = (letters, vec(others, 1..=14))
        .prop_map(|(first, rest)| std::iter::once(first).chain(rest).collect());
    prop_oneof![known.prop_map(str::to_owned), any]
}

/// Printing ASCII characters that pass a test.
fn printing(test: fn(&char) -> bool) -> impl Strategy<Value = char> {
    select((' '..='~').filter(test).collect::<Vec<_>>())
}

fn operands() -> impl Strategy<Value = Operand> {
    let symbol = vec(
        printing(|&letter| !matches!(letter, ' ' | ';' | '"')),
        1..=12,
    );
    let string = prop_oneof![
        9 => vec(printing(|&letter| letter != '"'), 0..=40),
        1 => vec(printing(|&letter| letter != '"'), MAX_STRING),
    ];
    prop_oneof![
        symbol.prop_map(|letters| Operand::new(letters.into_iter().collect::<String>())),
        string.prop_map(|letters| Operand::string(letters.into_iter().collect::<String>())),
    ]
}

/// Operations with strings in quotes where the opcode takes a string.
fn operations() -> impl Strategy<Value = Operation> {
    (opcodes(), vec(operands(), 0..=3)).prop_map(|(opcode, mut operands)| {
        let takes_string = LexiconEntry::find(&opcode).is_some_and(|entry| {
            matches!(
                entry.arity,
                Arity::Exactly([Basetype::String]) | Arity::Optional(Basetype::String)
            )
        });
        if takes_string {
            operands = operands
                .iter()
                .map(|operand| Operand::string(operand.text()))
                .collect();
        }
        // A sign alone, or an operand after an equals sign, would be joined to the operand before it.
        if LexiconEntry::find(&opcode).is_some_and(|entry| entry.moves != Moves::None) {
            for operand in &mut operands {
                // Commas, move numbers and glyphs would be removed.
                if let Operand::Symbol(text) = operand {
                    let text = text.replace(['=', ',', '!', '?'], "-");
                    *operand = Operand::new(format!("N{text}"));
                }
            }
        }
        Operation {
            opcode: opcode.parse().expect("an opcode"),
            operands: operands.into(),
        }
    })
}

/// A position, and operations that do not repeat an opcode. No opcode is a legal move: after `am` or `bm` it would be
/// one of its moves (decision 118).
pub fn drafts() -> impl Strategy<Value = (Position, Vec<Operation>)> {
    let parts = (games(), vec(operations(), 0..=5));
    parts.prop_map(|((position, _), mut operations)| {
        let mut seen = Vec::new();
        operations.retain(|operation| {
            let fresh = !seen.contains(&operation.opcode);
            seen.push(operation.opcode.clone());
            fresh && movegen::san::parse_lenient(&position, &operation.opcode).is_err()
        });
        (position, operations)
    })
}

/// A record of a position without its counters, with operations.
pub fn record_of(position: &Position, operations: &[Operation]) -> Record {
    let mut setup = position.setup();
    setup.halfmove_clock = 0;
    setup.fullmove_number = 1;
    let mut record = Record::new(setup);
    for operation in operations {
        record.add(operation.clone());
    }
    record
}
