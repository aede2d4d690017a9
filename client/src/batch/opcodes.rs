//! The opcodes of an analysis.

use super::target::Moment;

/// Opcodes that belong to an analysis, beside `Ce2`, `Pv2` and so on. Not among them are `dm`, which may be
/// the problem itself, and `sm`, the move of the game.
const OPCODES: [&str; 12] = [
    Moment::DEPTH,
    Moment::NODES,
    Moment::TIME,
    "acd",
    "acn",
    "acs",
    "ce",
    "cte",
    "ctu",
    "pes",
    "pm",
    "pv",
];

/// Whether operations with this opcode are the result of an analysis.
pub fn is_of_analysis(opcode: &str) -> bool {
    let ranked = |prefix| {
        let rank: Option<&str> = opcode.strip_prefix(prefix);
        rank.is_some_and(|rank| !rank.is_empty() && rank.bytes().all(|byte| byte.is_ascii_digit()))
    };
    OPCODES.contains(&opcode) || ranked("Ce") || ranked("Pv")
}
