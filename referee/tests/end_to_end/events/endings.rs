//! Games that the players end themselves: by the rules of chess, by agreement, or by a fault of one of them.

use super::{does, duel, duel_from, pass};
use crate::common::player::{Answer, playing, script};
use epd::protocol::{Message, PlayerActions};
use movegen::Game;

/// Decisions 62 and 78: the mated side is told the move.
#[test]
fn checkmate_and_stalemate() {
    let moves = "f3 e5 g4 Qh4#";
    let mate = duel("", "", script(moves, pass()), script(moves, pass()));
    mate.ends("0-1", "normal", "checkmate", None);
    mate.is_known_to_both();
    assert_eq!(mate.game.check(), Some("checkmate"));
    let moves = "e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6";
    let stalemate = duel("", "", script(moves, pass()), script(moves, pass()));
    stalemate.ends("1/2-1/2", "normal", "stalemate", None);
    stalemate.is_known_to_both();
}

/// Decision 62: whoever goes after the mate changes nothing.
#[test]
fn a_mated_side_that_vanishes() {
    let moves = "f3 e5 g4 Qh4#";
    let mate = duel("", "", script(moves, Answer::Vanish), script(moves, pass()));
    mate.ends("0-1", "normal", "checkmate", None);
}

/// Decision 63.
#[test]
fn draws_by_rule() {
    let moves = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    let threefold = duel("", "", script(moves, pass()), script(moves, pass()));
    threefold.ends("1/2-1/2", "normal", "repetition", None);
    threefold.is_known_to_both();
    let fifty = duel_from(
        Some("7k/8/8/8/8/8/R7/K7 w - - hmvc 98; fmvn 60;\n"),
        "",
        "",
        script("Rb2", pass()),
        script("- Kg8", pass()),
    );
    fifty.ends("1/2-1/2", "normal", "50 moves", None);
    fifty.is_known_to_both();
}

/// Decisions 68 and 69.
#[test]
fn offers() {
    let accepts = |game: &Game, content: &Message| {
        assert!(
            content.actions.contains(PlayerActions::OFFER_DRAW),
            "after {} plies",
            game.moves().len()
        );
        does("draw_accept;")
    };
    let agreed = duel("", "", script("", does("sm e4; draw_offer;")), accepts);
    agreed.ends("1/2-1/2", "normal", "agreement", None);
    agreed.is_known_to_both();
}

/// Decisions 74 and 75.
#[test]
fn claims() {
    let rules = "[rules]\ndraws = \"claims\"\n";
    let moves = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1";
    let right = duel(
        "",
        rules,
        script(moves, pass()),
        script(moves, does("sm Ng8; draw_claim;")),
    );
    right.ends("1/2-1/2", "normal", "repetition", None);
    right.is_known_to_both();
    let mut wrong = 0;
    let claimer = move |_: &Game, content: &Message| {
        wrong += 1;
        match wrong {
            1 => does("draw_claim;"),
            2 => {
                assert!(
                    content.actions.contains(PlayerActions::REJECT_DRAW),
                    "the claim is refused"
                );
                does("sm e4; draw_claim;")
            }
            _ => does("resign;"),
        }
    };
    let answers = |_: &Game, content: &Message| {
        assert_eq!(
            content.actions,
            PlayerActions::OFFER_DRAW,
            "a wrong claim is an offer"
        );
        playing("e5")
    };
    duel("", "", claimer, answers).ends("0-1", "normal", "White resigns", None);
}

/// Decision 79: the flag falls when it falls and not before, without anything else happening. That the
/// referee means to wake for it in time the tests of the game tell, which have a clock of their own.
#[test]
fn a_hung_player_is_judged() {
    let hung = duel(
        "time_control = \"0.3\"",
        "[rules]\ntime_margin = \"50ms\"\n",
        script("e4", Answer::Nothing),
        script("- e5", pass()),
    );
    hung.ends("0-1", "time forfeit", "White loses on time", Some("time"));
    let at = |event: &serde_json::Value| {
        let at: jiff::Timestamp = event["at"]
            .as_str()
            .expect("a time")
            .parse()
            .expect("a time");
        at.as_millisecond()
    };
    let moves = hung.referee.events_of("move");
    let asked = at(moves.last().expect("a move"));
    let used = moves[0]["elapsed_ms"].as_f64().expect("a number") as i64;
    let judged = at(&hung.referee.events_of("result")[0]);
    let after = judged - asked;
    let least = 300 - used + 50;
    // Both times and what was used are rounded to milliseconds.
    assert!(after >= least - 3, "{after} ms, at least {least}");
}

/// Decisions 54 and 58.
#[test]
fn cheats_lose() {
    let illegal = duel("", "", script("", does("sm Ke2;")), script("", pass()));
    illegal.ends("0-1", "rules infraction", "Ke2", Some("illegal_move"));
    let lie = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - refreq reply; sm e4;";
    let liar = script("", Answer::Line(lie.to_owned()));
    let lied = duel("", "", liar, script("", pass()));
    lied.ends(
        "0-1",
        "rules infraction",
        "another position",
        Some("protocol_fault"),
    );
    // Decision 57: once is borne.
    let silent = duel("", "", script("e4", pass()), script("- e5", pass()));
    silent.ends(
        "0-1",
        "rules infraction",
        "without a move",
        Some("protocol_fault"),
    );
}

/// Decisions 22 and 80.
#[test]
fn players_that_go_or_hang() {
    let patience = "[rules]\nreconnect_timeout = \"200ms\"\nmove_timeout = \"300ms\"\n";
    let gone = duel(
        "",
        "[rules]\nreconnect_timeout = \"200ms\"\n",
        script("e4", Answer::Vanish),
        script("- e5", pass()),
    );
    gone.ends(
        "0-1",
        "abandoned",
        "White is disconnected",
        Some("disconnect"),
    );
    let hung = duel(
        "",
        patience,
        script("e4", Answer::Nothing),
        script("- e5", pass()),
    );
    hung.ends("0-1", "abandoned", "White does not reply", Some("stall"));
}
