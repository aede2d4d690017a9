//! `epode convert`: records, games and tables of one format become those of another.

mod command_line;
mod games;
mod round_trips;
mod tables;

use crate::common::Folder;

/// Records with what no column says exactly, in normal form.
const HARD: &str = "\
4k3/8/8/8/8/8/8/4K2R w K - am \"Zz\"; bm O-O Rh8+; ce +15; hmvc 3;
4k3/8/8/8/8/8/8/4K2R w K - bm e1g1; bm Rh8+; id \"two lists, and \\ a comma, 'quoted'\";
4k3/8/8/8/8/8/8/4K2R w K - bm O-O; c0; c1 \"\"; c2 \"caf\u{e9} \u{1F600}\"; id 7; noop;
4k3/8/8/8/8/8/8/4K2R w K - Pv2 \"Kf1 Kd8\"; acn 18446744073709551615; ce 007; v0 \"name\"; wdl 1 2 3;
8/8/8/8/8/8/8/4K2R w - - bm \"Kf1\"; id \"no black king\";
nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w GBgb - fmvn 1; hmvc 0; pm Nb3; pv Nb3 Nb6; sm Nb3;
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6
";

const GAMES: &str = "\
[Event \"Cup\"]
[Date \"2025.11.30\"]
[White \"Ann\"]
[Black \"Bob\"]
[Result \"1-0\"]
[ECO \"C20\"]

1. e4 e5 {a remark
[White \"in a comment\"]} 2. Qh5 Ke7 3. Qxe5# 1-0

[Event \"Cup\"]
[White \"Cem\"]
[Black \"?\"]

1. e4 c5 2. Zz *

[Event \"Third\"]

1. e4 *
";

/// The normal form that pfdn writes.
fn normal(folder: &Folder, name: &str) -> String {
    let line = format!("pfdn --drop-unreadable {name} normal.epd");
    folder.command(&line).output().expect("it runs");
    folder.read("normal.epd")
}
