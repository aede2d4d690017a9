//! `epode` without arguments, started by an interface: the first line of standard input names the protocol.

use std::io::{self, BufRead, IsTerminal};

use super::analysis::Protocol;

/// The protocol that standard input begins with. It waits for the first line, which stays there to be read, unless
/// standard input is a terminal.
pub fn protocol_of_input() -> Option<Protocol> {
    let input = io::stdin();
    if input.is_terminal() {
        return None;
    }
    let mut input = input.lock();
    let begin = input.fill_buf().ok()?;
    let first_line = begin.split(|&byte| byte == b'\n').next()?;
    match first_line.trim_ascii() {
        b"uci" => Some(Protocol::Uci),
        b"xboard" => Some(Protocol::Xboard),
        _ => None,
    }
}
