//! `epode` without arguments, started by an interface: the first line of standard input names the protocol.

use std::io::{self, BufRead, IsTerminal};

use super::analysis::Protocol;

/// The protocol that standard input begins with. It waits for the beginning of the input, which stays there to be
/// read, unless standard input is a terminal.
pub fn protocol_of_input() -> Option<Protocol> {
    let input = io::stdin();
    if input.is_terminal() {
        return None;
    }
    protocol_of(input.lock().fill_buf().ok()?)
}

/// The protocol that the first line names. A pipe can deliver a line in parts, so a part of the name is enough.
fn protocol_of(begin: &[u8]) -> Option<Protocol> {
    let is_whole = begin.contains(&b'\n');
    let first_line = begin.split(|&byte| byte == b'\n').next()?.trim_ascii();
    let protocols = [
        (b"uci".as_slice(), Protocol::Uci),
        (b"xboard", Protocol::Xboard),
    ];
    let named = protocols.into_iter().find(|(name, _)| {
        *name == first_line || !is_whole && !first_line.is_empty() && name.starts_with(first_line)
    });
    named.map(|(_, protocol)| protocol)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_names_the_protocol_even_in_parts() {
        let uci: [&[u8]; 5] = [b"uci\n", b"uci\r\nisready\n", b" uci\n", b"u", b"uci"];
        for begin in uci {
            assert!(matches!(protocol_of(begin), Some(Protocol::Uci)));
        }
        let xboard: [&[u8]; 3] = [b"xboard\nprotover 2\n", b"x", b"xboar"];
        for begin in xboard {
            assert!(matches!(protocol_of(begin), Some(Protocol::Xboard)));
        }
        let neither: [&[u8]; 7] = [
            b"",
            b"\n",
            b"u\n",
            b"ucinewgame",
            b"quit\n",
            b"help",
            b"xboards",
        ];
        for begin in neither {
            assert!(protocol_of(begin).is_none(), "{begin:?}");
        }
    }
}
