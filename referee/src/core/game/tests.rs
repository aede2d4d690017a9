use super::*;
use crate::core::adjudication::{Agreement, TablebaseMode};
use crate::core::ending::{Absence, Forfeit};
use epd::protocol::Request;
use movegen::UciMove;
use movegen::pgn::Outcome;

/// A game with a clock and the instants of its events.
struct Board {
    referee: GameReferee,
    now: Instant,
}

impl Board {
    fn with(control: &str, rules: Rules) -> Self {
        Self::from(&Opening::default(), control, rules)
    }

    fn from(opening: &Opening, control: &str, rules: Rules) -> Self {
        let tags = vec![("White".into(), "A".into()), ("Black".into(), "B".into())];
        let controls = [(); 2].map(|()| control.parse().expect(control));
        Self {
            referee: GameReferee::new(opening, controls, rules, tags),
            now: Instant::now(),
        }
    }

    fn new() -> Self {
        Self::with("60", Rules::default())
    }

    fn at(fen: &str) -> Self {
        let opening = Opening {
            start: fen.parse().expect(fen),
            ..Opening::default()
        };
        Self::from(&opening, "60", Rules::default())
    }

    fn turn(&self) -> Color {
        self.referee.game().position().turn()
    }

    /// Asks, as a server does.
    fn ask(&mut self) -> Vec<Out> {
        let out = self.referee.ask();
        self.referee.sent(self.now);
        out
    }

    /// The reply of the side to move to its position, after some milliseconds, with operations.
    fn reply(&mut self, operations: &str, milliseconds: u64) -> Vec<Out> {
        let color = self.turn();
        let content = content(self.referee.game().position(), operations);
        self.send(color, &content, milliseconds)
    }

    fn send(&mut self, color: Color, content: &Message, milliseconds: u64) -> Vec<Out> {
        self.now += Duration::from_millis(milliseconds);
        let out = self.referee.reply(color, content, self.now);
        self.referee.sent(self.now);
        out
    }

    /// Moves without anything else, from the first ask on.
    fn play(&mut self, moves: &str) -> Vec<Out> {
        let mut out = self.ask();
        for text in moves.split_whitespace() {
            out = self.reply(&format!("sm {text};"), 1000);
        }
        out
    }
}

fn content(position: &Position, operations: &str) -> Message {
    let line = format!("{} refreq reply; {operations}", position.setup().fields());
    let record = epd::read(&line, &mut Vec::new()).expect("readable");
    Request::read(&record).expect("a request").message().clone()
}

/// The records that a side is sent, without clocks and counters.
fn told(out: &[Out], color: Color) -> Vec<String> {
    let commands = out.iter().filter_map(|out| match out {
        Out::Send(to, command) if *to == color => Some(command),
        _ => None,
    });
    let bare = commands.map(|command| {
        let mut record = command.record();
        record.retain(|operation| {
            !["cc", "ctcc", "hmvc", "fmvn", "ptp"].contains(&&*operation.opcode)
        });
        record.to_string()
    });
    bare.collect()
}

fn ending(out: &[Out]) -> Option<String> {
    out.iter().find_map(|out| match out {
        Out::Ended(ending) => Some(ending.to_string()),
        _ => None,
    })
}

fn words(out: &[Out], color: Color) -> Vec<&'static str> {
    let sent = out.iter().filter_map(|out| match out {
        Out::Send(to, command) if *to == color => Some(command.name()),
        _ => None,
    });
    sent.collect()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

/// Decisions 44, 46, 49, 83 to 88.
#[test]
fn moves_are_relayed_with_the_position_before_them() {
    let mut board = Board::new();
    assert_eq!(
        told(&board.ask(), Color::White),
        [format!("{START} refcom respond;")]
    );
    let out = board.reply("sm e4; ce 20; pv e4; hmvc 0;", 1500);
    assert_eq!(
        told(&out, Color::Black),
        [format!("{START} refcom respond; sm e4;")]
    );
    let Some(Out::Send(_, Command::Respond(content))) = out.last() else {
        panic!("{out:?}");
    };
    let record = content.clocks.expect("clocks");
    assert_eq!(record.0.to_string(), "000:00:00:02", "rounded up");
    assert_eq!(
        content.chess_clocks.expect("clocks").0.to_string(),
        "000.00:00:01.500"
    );
    assert_eq!(
        (content.halfmove_clock, content.fullmove_number),
        (Some(0), Some(1))
    );
    let out = board.reply("sm c5;", 10);
    assert_eq!(
        told(&out, Color::White),
        ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 refcom respond; sm c5;"]
    );
    let moved = out.iter().find_map(|out| match out {
        Out::Moved(moved) => Some(moved.clone()),
        _ => None,
    });
    assert_eq!(
        moved.expect("a move").used,
        [1500, 10].map(Duration::from_millis)
    );
}

/// Decisions 26, 39, 91, 92 and 93.
#[test]
fn a_side_that_comes_back_is_told_everything() {
    let mut board = Board::with("300+2", Rules::default());
    board.play("e4 e5 Nf3");
    assert_eq!(
        board
            .referee
            .reset()
            .record()
            .to_string()
            .split(" c")
            .next(),
        Some(START)
    );
    let greeting = |color| -> Vec<String> {
        let commands = board.referee.history(color);
        let out: Vec<_> = commands
            .into_iter()
            .map(|command| Out::Send(color, command))
            .collect();
        told(&out, color)
    };
    let moves = [
        format!("{START} refcom inform;"),
        format!("{START} refcom execute; sm e4;"),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 refcom execute; sm e5;".to_owned(),
    ];
    assert_eq!(
        greeting(Color::Black),
        moves,
        "the last move comes with the question"
    );
    let last = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 refcom execute; sm Nf3;";
    assert_eq!(
        greeting(Color::White),
        [&moves[..], &[last.to_owned()]].concat()
    );
    // Decision 97: who is on the move is asked again; the clock has gone on.
    board
        .referee
        .absent(Color::Black, Absence::Disconnect, board.now);
    board.now += Duration::from_secs(10);
    let out = board.referee.reconnected(Color::Black);
    assert_eq!(words(&out, Color::Black), ["respond"]);
    board.referee.sent(board.now);
    board.reply("sm Nc6;", 1000);
    assert_eq!(board.referee.clock().used()[1], Duration::from_secs(12));
    assert!(board.referee.reconnected(Color::Black).is_empty());
}

/// Decision 93: the saved clocks count.
#[test]
fn a_game_goes_on_where_it_was() {
    let mut board = Board::with("60+1", Rules::default());
    let e4 = "e2e4"
        .parse::<UciMove>()
        .expect("squares")
        .find(&Position::start())
        .expect("legal");
    board
        .referee
        .restore(
            e4,
            [Duration::from_secs(7), Duration::ZERO],
            None,
            PlayerActions::empty(),
        )
        .expect("legal");
    assert_eq!(
        board.referee.clock().remaining(Color::White),
        Some(Duration::from_secs(54))
    );
    assert_eq!(
        told(&board.ask(), Color::Black),
        [format!("{START} refcom respond; sm e4;")]
    );
    assert!(
        board
            .referee
            .restore(e4, [Duration::ZERO; 2], None, PlayerActions::empty())
            .is_err()
    );
}

/// Decisions 31, 42 and 62.
#[test]
fn the_mated_side_is_told_and_then_it_is_over() {
    let mut board = Board::new();
    let out = board.play("f3 e5 g4 Qh4#");
    assert_eq!(words(&out, Color::White), ["respond"]);
    assert_eq!(ending(&out), None);
    assert_eq!(
        board.referee.deadline(),
        Some(board.now + Duration::from_secs(5))
    );
    let out = board.reply("", 10);
    for color in [Color::White, Color::Black] {
        assert_eq!(words(&out, color), ["inform", "conclude"]);
    }
    assert_eq!(ending(&out).as_deref(), Some("Black wins: checkmate"));
    assert!(board.referee.is_over() && board.referee.deadline().is_none());
    let conclude = &told(&out, Color::Black)[1];
    assert!(conclude.starts_with("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -"));
    // A mated side that says nothing does not hold up the event.
    let mut board = Board::new();
    board.play("f3 e5 g4 Qh4#");
    assert!(
        board
            .referee
            .tick(board.now + Duration::from_secs(4))
            .is_empty()
    );
    let out = board.referee.tick(board.now + Duration::from_secs(5));
    assert_eq!(ending(&out).as_deref(), Some("Black wins: checkmate"));
}

/// Decision 33: the result comes with the whole roster.
#[test]
fn the_result_is_told_with_all_tags() {
    let mut board = Board::new();
    board.ask();
    let out = board.reply("resign;", 10);
    let Some(Out::Send(_, Command::Inform(inform))) = out.first() else {
        panic!("{out:?}");
    };
    assert_eq!(
        (inform.tag("Result"), inform.tag("Termination")),
        (Some("0-1"), Some("normal"))
    );
    assert_eq!(
        (inform.tag("White"), inform.text.as_deref()),
        (Some("A"), Some("Black wins: White resigns"))
    );
}

/// Decision 63: the last move of a drawn game is told without asking.
#[test]
fn a_drawing_move_is_told_by_execute() {
    let mut board = Board::new();
    let out = board.play(&"Nf3 Nf6 Ng1 Ng8 ".repeat(2));
    assert_eq!(words(&out, Color::White), ["execute", "inform", "conclude"]);
    assert_eq!(words(&out, Color::Black), ["inform", "conclude"]);
    assert_eq!(ending(&out).as_deref(), Some("Draw: repetition (3 times)"));
}

/// Decision 60.
#[test]
fn repetitions_are_counted_for_the_position_sent() {
    let mut board = Board::new();
    let out = board.play("Nf3 Nf6 Ng1 Ng8 Nf3");
    let last = told(&out, Color::Black).pop().expect("asked");
    assert_eq!(last, format!("{START} rc 2; refcom respond; sm Nf3;"));
}

/// Decisions 64, 65 and 66.
#[test]
fn resignation() {
    let mut board = Board::new();
    board.ask();
    let out = board.reply("resign; sm e4; draw_offer;", 10);
    assert_eq!(ending(&out).as_deref(), Some("Black wins: White resigns"));
    assert_eq!(words(&out, Color::Black), ["inform", "conclude"]);
    assert!(board.referee.game().moves().is_empty());
    // Off the move it does not count (decision 61).
    let mut board = Board::new();
    board.ask();
    let start = content(&Position::start(), "resign;");
    let out = board.send(Color::Black, &start, 1);
    assert!(matches!(&out[..], [Out::Note(_)]));
}

/// Decisions 68, 69, 70, 72 and 73.
#[test]
fn draw_offers() {
    let mut board = Board::new();
    board.ask();
    let out = board.reply("draw_offer; sm e4;", 10);
    assert_eq!(
        told(&out, Color::Black),
        [format!("{START} draw_offer; refcom respond; sm e4;")]
    );
    let out = board.reply("draw_accept;", 10);
    assert_eq!(ending(&out).as_deref(), Some("Draw: agreement"));

    // Refused by a move, or in so many words.
    let mut board = Board::new();
    board.ask();
    board.reply("draw_offer; sm e4;", 10);
    let out = board.reply("draw_offer; draw_reject; sm e5;", 10);
    assert!(
        told(&out, Color::White)[0].contains(" draw_offer; draw_reject; refcom respond; sm e5;")
    );
    board.reply("sm Nf3;", 10);
    // The offer is gone with the reply; accepting it now is no answer.
    let out = board.reply("draw_accept;", 10);
    assert_eq!(
        (ending(&out), words(&out, Color::Black)),
        (None, vec!["respond"])
    );
    // Nobody offered: the move counts.
    let out = board.reply("draw_accept; sm Nc6;", 10);
    assert_eq!(
        (ending(&out), board.referee.game().moves().len()),
        (None, 4)
    );
}

/// Decisions 74 and 75.
#[test]
fn draw_claims() {
    let rules = || Rules {
        draws: DrawRule::Claims,
        ..Rules::default()
    };
    let cycle = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1";
    let mut board = Board::with("60", rules());
    board.play(cycle);
    let out = board.reply("draw_claim; sm Ng8;", 10);
    assert_eq!(ending(&out).as_deref(), Some("Draw: repetition (3 times)"));
    assert_eq!(words(&out, Color::White), ["execute", "inform", "conclude"]);

    let mut board = Board::with("60", rules());
    board.play(&format!("{cycle} Ng8"));
    let out = board.reply("draw_claim;", 10);
    assert_eq!(ending(&out).as_deref(), Some("Draw: repetition (3 times)"));

    // A wrong claim with a move is an offer.
    let mut board = Board::with("60", rules());
    board.ask();
    let out = board.reply("draw_claim; sm e4;", 10);
    assert_eq!(
        told(&out, Color::Black),
        [format!("{START} draw_offer; refcom respond; sm e4;")]
    );
    // Without one it is refused, and the clock goes on.
    let out = board.reply("draw_claim;", 1000);
    assert!(told(&out, Color::Black)[0].contains("draw_reject; refcom respond; sm e4;"));
    board.reply("sm e5;", 1000);
    assert_eq!(board.referee.clock().used()[1], Duration::from_secs(2));
}

/// Decision 54.
#[test]
fn illegal_moves_lose() {
    for text in ["Ke2", "xyzzy", "e5", "O-O"] {
        let mut board = Board::new();
        board.ask();
        let out = board.reply(&format!("sm {text};"), 10);
        assert_eq!(
            ending(&out),
            Some(format!("Black wins: White plays an illegal move: {text}"))
        );
    }
}

/// Decision 57.
#[test]
fn a_reply_without_a_move_is_asked_again_once() {
    let mut board = Board::new();
    board.ask();
    let out = board.reply("", 500);
    assert_eq!(
        (words(&out, Color::White), ending(&out)),
        (vec!["respond"], None)
    );
    let out = board.reply("draw_offer;", 500);
    assert_eq!(
        ending(&out).as_deref(),
        Some("Black wins: White violates the protocol: reply without a move")
    );
    let mut board = Board::new();
    board.ask();
    board.reply("draw_offer;", 500);
    board.reply("sm e4;", 500);
    assert_eq!(board.referee.clock().used()[0], Duration::from_secs(1));
}

/// Decision 58.
#[test]
fn positions_of_replies() {
    let mut board = Board::at("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9");
    board.ask();
    let other: Position = "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1".parse().expect("legal");
    let out = board.send(Color::White, &content(&other, "sm Ra2; hmvc 77;"), 10);
    assert_eq!(
        (ending(&out), board.referee.game().moves().len()),
        (None, 1)
    );

    let mut board = Board::new();
    board.ask();
    let out = board.send(Color::White, &content(&other, "sm Ra2;"), 10);
    assert_eq!(
        ending(&out).as_deref(),
        Some(
            "Black wins: White violates the protocol: reply to another position, r3k2r/8/8/8/8/8/8/R3K2R w - -"
        )
    );
}

/// Decision 79.
#[test]
fn flags_fall_when_they_fall() {
    let mut board = Board::with("1", Rules::default());
    board.ask();
    let flag = board.now + Duration::from_millis(1100);
    assert_eq!(board.referee.deadline(), Some(flag));
    assert!(
        board
            .referee
            .tick(board.now + Duration::from_millis(1099))
            .is_empty()
    );
    let out = board.referee.tick(flag);
    assert_eq!(
        ending(&out).as_deref(),
        Some("Black wins: White loses on time")
    );
    let ended = out.iter().find_map(|out| match out {
        Out::Ended(ending) => Some(ending.clone()),
        _ => None,
    });
    let ended = ended.expect("over");
    assert_eq!(
        (ended.outcome, ended.forfeit()),
        (Some(Outcome::Black), Some(Forfeit::Time))
    );

    // Within the margin a reply counts, after it it does not, even if nobody ticked.
    let mut board = Board::with("1", Rules::default());
    board.ask();
    assert_eq!(ending(&board.reply("sm e4;", 1099)), None);
    let out = board.reply("sm e5;", 1100);
    assert_eq!(
        ending(&out).as_deref(),
        Some("White wins: Black loses on time")
    );
    // Against a bare king nobody loses.
    let mut board = Board::at("4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
    board.ask();
    let out = board.referee.tick(board.now + Duration::from_secs(61));
    assert_eq!(
        ending(&out).as_deref(),
        Some("Draw: time ran out against a bare king")
    );
}

/// Decision 80.
#[test]
fn without_a_clock_patience_ends() {
    let mut board = Board::with("-", Rules::default());
    board.ask();
    let out = board.referee.tick(board.now + Duration::from_mins(10));
    assert_eq!(
        ending(&out).as_deref(),
        Some("Black wins: White does not reply")
    );
    let Some(Out::Send(_, Command::Conclude(conclude))) = out.get(1) else {
        panic!("{out:?}");
    };
    assert_eq!(conclude.clocks, None);
}

/// Decision 22.
#[test]
fn who_stays_away_loses() {
    let mut board = Board::with("600", Rules::default());
    board.ask();
    board
        .referee
        .absent(Color::Black, Absence::Disconnect, board.now);
    assert_eq!(
        board.referee.deadline(),
        Some(board.now + Duration::from_mins(1))
    );
    board.referee.reconnected(Color::Black);
    assert_eq!(
        board.referee.deadline(),
        Some(board.now + Duration::from_millis(600_100))
    );
    board
        .referee
        .absent(Color::Black, Absence::Disconnect, board.now);
    let out = board.referee.tick(board.now + Duration::from_mins(1));
    assert_eq!(
        ending(&out).as_deref(),
        Some("White wins: Black is disconnected")
    );
}

/// Decisions 81 and 99.
#[test]
fn games_are_ended_from_outside() {
    let mut board = Board::new();
    board.ask();
    let out = board.referee.decide(&Ending::decided(Outcome::Draw, None));
    assert_eq!(
        ending(&out).as_deref(),
        Some("Draw: decision of the arbiter")
    );
    assert!(
        board
            .referee
            .decide(&Ending::decided(Outcome::Draw, None))
            .is_empty(),
        "once"
    );
    let mut board = Board::new();
    board.ask();
    let out = board.referee.fault(Color::White, "it broke");
    assert_eq!(
        ending(&out).as_deref(),
        Some("Black wins: White reports a fault: it broke")
    );
}

/// Decisions 40 and 95: the moves of an opening are not charged, whoever begins.
#[test]
fn openings_are_executed() {
    let mut opening = Opening::default();
    let mut position = opening.start;
    for text in ["e2e4", "e7e5", "g1f3"] {
        let mv = text
            .parse::<UciMove>()
            .expect(text)
            .find(&position)
            .expect(text);
        position.play(mv);
        opening.moves.push(mv);
    }
    let mut board = Board::from(&opening, "2/10:60", Rules::default());
    let out = board.ask();
    assert_eq!(words(&out, Color::Black), ["respond"]);
    board.reply("sm Nc6;", 1000);
    board.reply("sm Bb5;", 1000);
    board.reply("sm a6;", 1000);
    assert_eq!(
        board.referee.clock().remaining(Color::Black),
        Some(Duration::from_secs(68))
    );
    assert_eq!(
        board.referee.clock().remaining(Color::White),
        Some(Duration::from_secs(9))
    );
    let mut again = board.referee.clone();
    again
        .restore(
            "b5a4"
                .parse::<UciMove>()
                .expect("squares")
                .find(board.referee.game().position())
                .expect("legal"),
            board.referee.clock().used(),
            None,
            PlayerActions::empty(),
        )
        .expect("legal");
    assert_eq!(
        again.clock().remaining(Color::White),
        Some(Duration::from_secs(69))
    );
}

/// Decision 62: once the board has decided, nothing that happens to the players does.
#[test]
fn a_decided_game_stays_decided() {
    for what in ["forfeit", "adjudication", "flood"] {
        let mut board = Board::new();
        board.play("f3 e5 g4 Qh4#");
        let out = match what {
            "forfeit" => board.referee.decide(&Ending::loss(
                Color::Black,
                Reason::Absent(Absence::Disconnect),
            )),
            "adjudication" => board.referee.decide(&Ending::decided(Outcome::Draw, None)),
            _ => board.referee.protocol_fault(Color::Black, "noise"),
        };
        let ending = ending(&out);
        assert_eq!(ending.as_deref(), Some("Black wins: checkmate"), "{what}");
    }
}

/// A referee that was killed between the last move and the end finds the end by itself.
#[test]
fn a_game_that_was_decided_before_a_crash() {
    let restored = |moves: &str, actions: PlayerActions| {
        let rules = Rules {
            draws: DrawRule::Claims,
            ..Rules::default()
        };
        let mut board = Board::with("60", rules);
        let moves: Vec<_> = moves.split(' ').collect();
        for (i, text) in moves.iter().enumerate() {
            let mv = movegen::san::parse(board.referee.game().position(), text).expect(text);
            let actions = if i + 1 == moves.len() {
                actions
            } else {
                PlayerActions::empty()
            };
            let used = [Duration::from_secs(1); 2];
            board
                .referee
                .restore(mv, used, None, actions)
                .expect("legal");
        }
        board
    };
    let mut board = restored("f3 e5 g4 Qh4#", PlayerActions::empty());
    let out = board.referee.proceed(board.now);
    assert_eq!(words(&out, Color::White), ["respond"]);
    let out = board.reply("", 10);
    assert_eq!(ending(&out).as_deref(), Some("Black wins: checkmate"));

    let twice = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    let mut board = restored(twice, PlayerActions::CLAIM_DRAW);
    let out = board.referee.proceed(board.now);
    assert_eq!(words(&out, Color::White), ["execute", "inform", "conclude"]);
    assert_eq!(ending(&out).as_deref(), Some("Draw: repetition (3 times)"));

    let mut board = restored("e4", PlayerActions::OFFER_DRAW);
    let out = board.referee.proceed(board.now);
    assert!(told(&out, Color::Black)[0].contains("draw_offer;"));
    assert_eq!(
        ending(&board.reply("draw_accept;", 10)).as_deref(),
        Some("Draw: agreement")
    );
}

/// Decision 41.
#[test]
fn a_game_that_is_given_up_is_reset() {
    let mut board = Board::new();
    board.play("e4");
    let out = board.referee.decide(&Ending::aborted(None));
    for color in [Color::White, Color::Black] {
        assert_eq!(words(&out, color), ["reset"]);
    }
    assert_eq!(ending(&out).as_deref(), Some("No result: aborted"));
}

/// Neither side loses if both are gone.
#[test]
fn who_stays_away_together_does_not_lose() {
    let mut board = Board::with("600", Rules::default());
    board
        .referee
        .absent(Color::White, Absence::Disconnect, board.now);
    board
        .referee
        .absent(Color::Black, Absence::Disconnect, board.now);
    let out = board.referee.tick(board.now + Duration::from_mins(1));
    assert_eq!(
        ending(&out).as_deref(),
        Some("No result: both players are disconnected")
    );
}

/// Decision 34: the result stands in its place in the roster.
#[test]
fn the_roster_keeps_its_order() {
    let tags = [
        ("White", "A"),
        ("Black", "B"),
        ("Result", "*"),
        ("TimeControl", "60"),
    ];
    let tags = tags.map(|(tag, value)| (tag.into(), value.into())).to_vec();
    let controls = [(); 2].map(|()| "60".parse().expect("a control"));
    let mut referee = GameReferee::new(&Opening::default(), controls, Rules::default(), tags);
    let out = referee.decide(&Ending::decided(Outcome::White, None));
    let Some(Out::Send(_, Command::Inform(inform))) = out.first() else {
        panic!("{out:?}");
    };
    let names: Vec<_> = inform.tags.iter().map(|(tag, _)| tag.as_str()).collect();
    assert_eq!(
        names,
        ["White", "Black", "Result", "TimeControl", "Termination"]
    );
    assert_eq!(inform.tag("Result"), Some("1-0"));
}

/// A score that no engine has must not stop the referee of other games.
#[test]
fn scores_beyond_the_scale_count_as_its_end() {
    let rules = Rules {
        adjudication: Adjudication {
            draw: Some(Agreement {
                score: 10,
                moves: 5,
                from_move: 0,
            }),
            win: Some(Agreement {
                score: 1000,
                moves: 1,
                from_move: 0,
            }),
            ..Adjudication::default()
        },
        ..Rules::default()
    };
    let mut board = Board::with("60", rules);
    board.ask();
    let evals = |out: &[Out]| {
        let evals = out.iter().map(|out| match out {
            Out::Moved(moved) => moved.eval,
            _ => None,
        });
        evals.flatten().collect::<Vec<_>>()
    };
    let out = board.reply("sm e4; ce -2147483648;", 1);
    assert_eq!(evals(&out), [-32_767]);
    let out = board.reply("sm e5; ce 9223372036854775807;", 1);
    assert_eq!(evals(&out), [32_767]);
    assert_eq!(
        ending(&out).as_deref(),
        Some("Black wins: adjudication by evaluation"),
        "both agree"
    );
}

/// Knows the result of every position with three pieces.
#[derive(Debug)]
struct Knowing(Outcome);

impl Judge for Knowing {
    fn result(&self, position: &Position) -> Option<Outcome> {
        (position.occupied().len() == 3).then_some(self.0)
    }
}

/// Tablebases decide a game after a move, as far as their mode goes; checkmate comes before them, and
/// they come before evaluations.
#[test]
fn tablebases_decide_games() {
    let start = "3k4/8/8/8/8/8/4r3/R3K3 w - - 0 1";
    let opening = Opening {
        start: start.parse().expect(start),
        ..Opening::default()
    };
    let board = |outcome, mode| {
        let adjudication = Adjudication {
            mode,
            win: Some(Agreement {
                score: 100,
                moves: 0,
                from_move: 0,
            }),
            ..Adjudication::default()
        };
        let judge: Arc<dyn Judge> = Arc::new(Knowing(outcome));
        let rules = Rules {
            adjudication,
            judge: Some(judge),
            ..Rules::default()
        };
        let mut board = Board::from(&opening, "60", rules);
        board.ask();
        board
    };
    let white = "White wins: adjudication by tablebases";
    let draw = "Draw: adjudication by tablebases";
    let both = Some(TablebaseMode::Both);
    let [wins, draws] = [TablebaseMode::Wins, TablebaseMode::Draws].map(Some);
    for (outcome, mode, expected) in [
        (Outcome::White, None, Some(white)),
        (Outcome::Draw, both, Some(draw)),
        (Outcome::White, wins, Some(white)),
        (Outcome::Draw, wins, None),
        (Outcome::White, draws, None),
        (Outcome::Draw, draws, Some(draw)),
    ] {
        let mut board = board(outcome, mode);
        let out = board.reply("sm Kxe2;", 1);
        assert_eq!(ending(&out).as_deref(), expected, "{outcome} {mode:?}");
        let Out::Moved(moved) = &out[0] else {
            panic!("{out:?}");
        };
        assert_eq!(moved.judged, expected.map(|_| outcome));
    }
    // Evaluations would say that White wins.
    let out = board(Outcome::Draw, None).reply("sm Kxe2; ce 500;", 1);
    assert_eq!(ending(&out).as_deref(), Some(draw));
    // No move without a result.
    let out = board(Outcome::Draw, None).reply("sm Kf1;", 1);
    assert_eq!(ending(&out), None);
}
