//! The decisions that concern a player, one by one.

mod laws;

use movegen::san;

use super::*;
use crate::play::manners::Streak;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -";
const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - -";
/// A double step that can be answered by a capture en passant.
const EN_PASSANT: &str = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6";

/// A player without an engine, and the instants of what happens to it.
struct Seat {
    session: Session,
    now: Instant,
}

impl Seat {
    fn with(manners: Manners) -> Self {
        Self {
            session: Session::new("Epode", manners, false),
            now: Instant::now(),
        }
    }

    /// A player whose game was set up.
    fn new() -> Self {
        let mut seat = Self::with(Manners::default());
        seat.hear(START, "refcom reset;");
        seat
    }

    fn take(&mut self, frame: &Frame) -> Vec<String> {
        let actions = self.session.receive(frame, self.now);
        actions.iter().map(seen).collect()
    }

    /// A record at some position.
    fn hear(&mut self, fields: &str, operations: &str) -> Vec<String> {
        self.take(&Frame::Line(format!("{fields} {operations}")))
    }

    /// A record at our position.
    fn told(&mut self, operations: &str) -> Vec<String> {
        let fields = self.fields();
        self.hear(&fields, operations)
    }

    fn fields(&self) -> String {
        self.session.game.position().setup().fields().to_string()
    }

    /// What comes of thinking: a move, or none for an empty text, and its score.
    fn think(&mut self, text: &str, score: i32) -> Vec<String> {
        self.now += Duration::from_secs(1);
        let thought = self.thought(text, score);
        let actions = self.session.answer(&thought, self.now);
        actions.iter().map(seen).collect()
    }

    fn thought(&self, text: &str, score: i32) -> Thought {
        let position = self.session.game.position();
        let best = (!text.is_empty()).then(|| san::mend(position, text).expect(text).0);
        Thought {
            best,
            pv: best.into_iter().collect(),
            score: engine::Score::from_ce(score as i16),
            depth: 7,
            nodes: 1234,
            time: Duration::from_millis(1600),
            processor_time: None,
        }
    }

    /// Is asked, and answers with a move.
    fn play(&mut self, operations: &str, text: &str) -> Vec<String> {
        let heard = self.told(&format!("refcom respond; {operations}"));
        assert_eq!(heard.last().map(String::as_str), Some("think"), "{heard:?}");
        self.think(text, 10)
    }

    /// The moves since the position from which history is known.
    fn moves(&self) -> String {
        let moves: Vec<_> = self
            .session
            .game
            .moves()
            .iter()
            .map(Move::to_string)
            .collect();
        assert_eq!(moves.len(), self.session.plies.len());
        moves.join(" ")
    }

    /// What White and Black have left, in milliseconds, and the moves to the control.
    fn watch(&self) -> ([u128; 2], Option<u32>) {
        let watch = self.session.watch().expect("a clock");
        (
            watch.remaining.map(|time| time.as_millis()),
            watch.moves_to_go,
        )
    }

    /// The counters of our position.
    fn counters(&self) -> (u16, u16) {
        let position = self.session.game.position();
        (position.halfmove_clock(), position.fullmove_number())
    }
}

/// An action in words; of a record the operations, but for the counters.
fn seen(action: &Action) -> String {
    match action {
        Action::Send(request) => {
            let mut record = request.record();
            record.retain(|operation| !["hmvc", "fmvn"].contains(&&*operation.opcode));
            operations(&record.to_string()).to_owned()
        }
        Action::Abort => "abort".to_owned(),
        Action::Think => "think".to_owned(),
        Action::Ponder => "ponder".to_owned(),
        Action::NewGame => "new game".to_owned(),
        Action::GameOver(played) => format!("game over after {} plies", played.plies.len()),
        Action::Tell(text) => format!("tell {text}"),
        Action::Close => "close".to_owned(),
    }
}

/// What stands after the four fields of a record.
fn operations(line: &str) -> &str {
    line.splitn(5, ' ').last().expect("operations")
}

/// What a fault of ours looks like.
fn fault(why: &str) -> [String; 2] {
    [
        // Decision 106: no quote is inside of another.
        format!("c0 \"{}\"; refreq fault;", why.replace('"', "'")),
        format!("tell fault: {why}"),
    ]
}

/// Decisions 6, 7, 98 and 100: what is no command is told to the referee, and nothing else happens.
#[test]
fn records_that_are_no_commands() {
    let mut seat = Seat::new();
    seat.told("refcom respond;");
    let all = "conclude disconnect execute fault inform reset respond";
    for (operations, why) in [
        (
            "refcom move;",
            &*format!("refcom \"move\" is none of {all}"),
        ),
        ("c0 \"x\";", "no refcom in the record"),
        (
            "refcom respond; refreq reply;",
            "both refcom and refreq in the record",
        ),
    ] {
        assert_eq!(seat.told(operations), fault(why), "{operations}");
    }
    for garbage in [
        "garbage",
        "\u{1}\u{7f}\u{e9}\"",
        "8/8/8 w - - refcom reset;",
    ] {
        let heard = seat.take(&Frame::Line(garbage.to_owned()));
        assert!(
            heard.len() == 2 && heard[0].ends_with("refreq fault;"),
            "{heard:?}"
        );
    }
    assert_eq!(
        seat.take(&Frame::Oversize),
        fault("a line of more than 4095 bytes")
    );
    let illegal = seat.hear("8/8/8/8/8/8/8/8 w - -", "refcom respond;");
    assert!(illegal[0].ends_with("refreq fault;"), "{illegal:?}");
    // It is still there, and was not disturbed.
    assert_eq!(seat.think("e4", 0), ["refreq reply; sm e4;", "ponder"]);
    let Request::Fault(content) = seat.session.fault_request("x") else {
        panic!("no fault");
    };
    assert_eq!(
        content.position.as_ref(),
        Some(seat.session.game.position())
    );
}

/// Decision 9: these end a search, and nobody is answered.
#[test]
fn commands_that_end_a_search() {
    for (command, actions) in [
        (
            "reset",
            &["abort", "game over after 0 plies", "new game"][..],
        ),
        ("conclude", &["abort", "game over after 0 plies"]),
        ("disconnect", &["abort", "game over after 0 plies", "close"]),
        (
            "fault",
            &["abort", "tell the referee reports a fault: no reason given"],
        ),
        ("execute", &["abort"]),
    ] {
        let mut seat = Seat::new();
        assert_eq!(seat.told("refcom respond;"), ["abort", "think"]);
        assert_eq!(seat.told(&format!("refcom {command};")), actions);
        assert!(seat.think("e4", 0).is_empty(), "{command}");
    }
}

/// Decision 9: tags and clocks may come at any time.
#[test]
fn inform_does_not_touch_a_search() {
    let mut seat = Seat::new();
    seat.told("refcom respond;");
    let elsewhere = seat.hear(MATED, "refcom inform; ptp Round \"2\";");
    assert!(elsewhere.is_empty());
    assert!(
        seat.hear("8/8/8/8/8/8/8/8 w - -", "refcom inform;")
            .is_empty()
    );
    assert_eq!(seat.fields(), START);
    assert_eq!(seat.think("e4", 0), ["refreq reply; sm e4;", "ponder"]);
}

/// Decision 9: the second of two respond commands is answered, and once.
#[test]
fn a_second_respond_restarts() {
    let mut seat = Seat::new();
    seat.told("refcom respond;");
    let other = "4k3/8/8/8/8/8/8/4K2R w K -";
    assert_eq!(seat.hear(other, "refcom respond;"), ["abort", "think"]);
    assert_eq!(seat.think("O-O", 0), ["refreq reply; sm O-O;", "ponder"]);
    assert!(seat.think("Kd8", 0).is_empty());
}

/// Decisions 15 and 16.
#[test]
fn sign_on_tells_the_name() {
    let seat = Seat::with(Manners::default());
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        seat.session.sign_on().record().to_string(),
        format!("{START} c0 \"Epode {version}\"; refreq sign_on; tcsi \"\" \"Epode\";")
    );
    let session = Session::new("\"Épode\"\n", Manners::default(), false);
    let line = session.sign_on().record().to_string();
    assert!(line.ends_with("tcsi \"\" \"'?pode'\";"), "{line}");
}

/// Decision 23.
#[test]
fn sign_off_tells_the_position_alone() {
    let mut seat = Seat::new();
    seat.play("", "e4");
    assert_eq!(
        seat.session.sign_off().record().to_string(),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 refreq sign_off;"
    );
}

/// Decision 20.
#[test]
fn the_colour_is_that_of_the_first_respond() {
    for (sent, color) in [("", Color::White), ("sm e4;", Color::Black)] {
        let mut seat = Seat::new();
        seat.told("refcom inform; ptp White \"Epode\" Black \"Epode\";");
        assert_eq!(seat.session.color, None);
        seat.told(&format!("refcom respond; {sent}"));
        assert_eq!(seat.session.color, Some(color));
        // The next game may give us the other one.
        seat.hear(START, "refcom reset;");
        assert_eq!(seat.session.color, None);
    }
}

/// Decision 24: nothing is said any more.
#[test]
fn disconnect_is_not_answered() {
    let mut seat = Seat::new();
    assert_eq!(seat.told("refcom disconnect;"), ["abort", "close"]);
    assert_eq!(
        seat.hear("8/8/8/8/8/8/8/8 w - -", "refcom disconnect; c0 \"full\";"),
        [
            "abort",
            "tell the referee closes the connection: full",
            "close"
        ]
    );
}

/// Decision 26: the position, and counters from the beginning.
#[test]
fn reset_sets_the_position() {
    let mut seat = Seat::new();
    seat.play("", "Nf3");
    seat.hear(EN_PASSANT, "refcom reset;");
    assert_eq!(
        (seat.fields().as_str(), seat.counters()),
        (EN_PASSANT, (0, 1))
    );
    seat.hear(EN_PASSANT, "refcom reset; hmvc 3; fmvn 9;");
    assert_eq!(seat.counters(), (3, 9));
    // The same position begins again as well.
    seat.hear(EN_PASSANT, "refcom reset;");
    assert_eq!(seat.counters(), (0, 1));
}

/// Decision 27: what was known of the last game is not known of this one.
#[test]
fn reset_forgets_the_last_game() {
    let resign = Streak {
        score: -500,
        moves: 2,
    };
    let mut seat = Seat::with(Manners::new(Some(resign), None, 0, 0));
    seat.hear(START, "refcom reset; ptp TimeControl \"60\";");
    seat.told("refcom respond; cc 000:00:00:09 000:00:00:09;");
    seat.think("e4", -600);
    assert_eq!(
        seat.hear(START, "refcom reset; ptp Round \"2\";"),
        ["abort", "game over after 1 plies", "new game"]
    );
    assert_eq!(seat.moves(), "");
    assert_eq!(seat.session.tags, [("Round".to_owned(), "2".to_owned())]);
    assert_eq!((seat.session.watch(), seat.session.used), (None, None));
    // One move of the last game and one of this are not two in a row.
    seat.told("refcom respond;");
    assert_eq!(seat.think("e4", -600), ["refreq reply; sm e4;", "ponder"]);
}

/// Decision 29: the position of conclude is the final one.
#[test]
fn conclude_compares_the_position() {
    let mut seat = Seat::new();
    seat.play("", "e4");
    assert_eq!(
        seat.told("refcom conclude;"),
        ["abort", "game over after 1 plies"]
    );
    let mut seat = Seat::new();
    seat.play("", "e4");
    assert_eq!(
        seat.hear(MATED, "refcom conclude;"),
        [
            "abort",
            "game over after 1 plies",
            "tell the final position is another than ours"
        ]
    );
    assert_eq!(seat.fields(), MATED);
    // One that is none is passed over, and a game is over once.
    assert_eq!(
        seat.hear("8/8/8/8/8/8/8/8 w - -", "refcom conclude;"),
        ["abort"]
    );
}

/// Decision 33.
#[test]
fn inform_without_tags_is_harmless() {
    let mut seat = Seat::new();
    assert!(seat.told("refcom inform;").is_empty());
    assert!(seat.told("refcom inform; ptp;").is_empty());
    assert!(seat.told("refcom inform; ptp White;").is_empty());
    assert!(seat.session.tags.is_empty());
}

/// Decisions 35, 36 and 37: tags on any record, the last value of each, in the order of the first.
#[test]
fn tags_come_on_any_record() {
    let mut seat = Seat::new();
    seat.told("refcom inform; ptp Event \"a\" White \"W\" Event \"b\";");
    seat.told("refcom respond; ptp Round \"3\" Event \"c\";");
    seat.think("e4", 0);
    seat.told("refcom execute; sm e5; ptp Black \"B\";");
    seat.told("refcom fault; ptp Site \"here\";");
    let mut actions = seat.session.receive(
        &Frame::Line(format!(
            "{} refcom conclude; ptp Result \"1-0\";",
            seat.fields()
        )),
        seat.now,
    );
    let Some(Action::GameOver(played)) = actions.pop() else {
        panic!("{actions:?}");
    };
    let tags: Vec<_> = played
        .tags
        .iter()
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    assert_eq!(
        tags,
        [
            "Event c",
            "White W",
            "Round 3",
            "Black B",
            "Site here",
            "Result 1-0"
        ]
    );
}

/// Decision 37: they are taken in before the move is searched.
#[test]
fn a_time_control_holds_for_the_move_it_comes_with() {
    let mut seat = Seat::new();
    assert_eq!(
        seat.told("refcom respond; ptp TimeControl \"60\";")
            .last()
            .map(String::as_str),
        Some("think")
    );
    assert_eq!(seat.watch(), ([60_000, 60_000], None));
}

/// Decisions 39, 40 and 83: what is left is what was given less what was consumed.
#[test]
fn time_is_what_was_given_less_what_was_used() {
    let mut seat = Seat::new();
    seat.told("refcom respond; cc 000:00:00:05 000:00:00:07;");
    assert_eq!(seat.session.watch(), None, "without rules nothing is known");
    for unlimited in ["-", "?", "nonsense"] {
        seat.told(&format!("refcom inform; ptp TimeControl \"{unlimited}\";"));
        assert_eq!(seat.session.watch(), None, "{unlimited}");
    }
    seat.told("refcom inform; ptp TimeControl \"2/60:30+2\";");
    assert_eq!(seat.watch(), ([55_000, 53_000], Some(2)));
    seat.think("e4", 0);
    seat.told("refcom respond; sm e5; cc 000:00:00:06 000:00:00:50;");
    assert_eq!(seat.watch(), ([54_000, 10_000], Some(1)));
    seat.think("Nf3", 0);
    seat.told("refcom respond; sm Nc6; cc 000:00:00:58 000:00:02:00;");
    assert_eq!(seat.watch(), ([32_000, 0], None));
    let watch = seat.session.watch().expect("a clock");
    assert_eq!(watch.increment, [Duration::from_secs(2); 2]);
}

/// Decision 40: moves count from where the game began, whatever its number says.
#[test]
fn moves_to_the_control_count_from_the_start_position() {
    let fields = "4k3/8/8/8/8/8/8/4K2R b K -";
    let mut seat = Seat::new();
    seat.hear(fields, "refcom reset; fmvn 40; ptp TimeControl \"40/60\";");
    seat.told("refcom respond;");
    assert_eq!(seat.watch(), ([60_000, 60_000], Some(40)));
    seat.think("Kd7", 0);
    seat.told("refcom respond; sm Rh7;");
    assert_eq!(seat.watch(), ([60_000, 60_000], Some(39)));
}

/// Decision 41: a game that is given up is told of, and the tags with it.
#[test]
fn reset_and_disconnect_give_a_game_up() {
    for command in ["reset", "disconnect"] {
        let mut seat = Seat::new();
        seat.told("refcom inform; ptp White \"W\";");
        seat.play("", "e4");
        let line = format!("{START} refcom {command};");
        let actions = seat.session.receive(&Frame::Line(line), seat.now);
        let Action::GameOver(played) = &actions[1] else {
            panic!("{actions:?}");
        };
        assert_eq!(played.start, Position::start());
        assert_eq!((played.plies.len(), played.tags.len()), (1, 1));
        let ply = &played.plies[0];
        assert_eq!(
            (ply.score, ply.time),
            (Some(10), Some(Duration::from_millis(1600)))
        );
    }
}

/// Decision 43: the first record of a game may be any.
#[test]
fn respond_without_reset() {
    for command in ["respond", "execute"] {
        let mut seat = Seat::with(Manners::default());
        let heard = seat.hear(EN_PASSANT, &format!("refcom {command}; sm exf6;"));
        assert_eq!(heard[..2], ["abort", "new game"]);
        assert_eq!(seat.moves(), "e5f6");
    }
    // After a game another may begin in this way.
    let mut seat = Seat::new();
    seat.told("refcom inform; ptp Result \"1-0\";");
    seat.play("", "e4");
    seat.told("refcom conclude;");
    assert_eq!(
        seat.hear(START, "refcom respond; sm e4;"),
        ["abort", "new game", "think"]
    );
    assert_eq!(seat.session.color, Some(Color::Black));
    assert!(seat.session.tags.is_empty());
}

/// Decisions 44, 45 and 49: a reply holds the position from which its move is played, with its
/// counters.
#[test]
fn a_reply_holds_the_position_before_its_move() {
    let mut seat = Seat::new();
    seat.told("refcom respond; sm e4;");
    let thought = seat.thought("Nf6", 0);
    let actions = seat.session.answer(&thought, seat.now);
    let Action::Send(request) = &actions[0] else {
        panic!("{actions:?}");
    };
    assert_eq!(
        request.record().to_string(),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 fmvn 1; hmvc 0; refreq reply; sm Nf6;"
    );
    // The move is played when it is sent.
    assert_eq!(seat.moves(), "e2e4 g8f6");
    assert_eq!(seat.counters(), (1, 2));
}

/// Decision 46: a square that nobody can capture on makes no other position.
#[test]
fn history_is_kept_whatever_the_idle_square() {
    for square in ["e3", "-"] {
        let mut seat = Seat::new();
        seat.play("", "e4");
        let fields = format!("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq {square}");
        assert_eq!(seat.hear(&fields, "refcom execute; sm e5;"), ["abort"]);
        assert_eq!(seat.moves(), "e2e4 e7e5");
    }
    // Where a capture is possible it is another one.
    let mut seat = Seat::new();
    seat.hear(EN_PASSANT, "refcom reset;");
    seat.play("", "Nf3");
    seat.hear(EN_PASSANT, "refcom respond;");
    seat.hear(&EN_PASSANT.replace("f6", "-"), "refcom respond;");
    assert_eq!(seat.fields(), EN_PASSANT.replace("f6", "-"));
}

/// Decisions 49 and 94: another position, or other counters, begin without history.
#[test]
fn another_position_clears_the_history() {
    let forgotten =
        "tell the referee's position is another than ours; the moves before it are forgotten";
    let mut seat = Seat::new();
    seat.play("", "Nf3");
    assert_eq!(seat.told("refcom execute; hmvc 1; fmvn 1;"), ["abort"]);
    assert_eq!(seat.moves(), "g1f3");
    assert_eq!(seat.told("refcom execute; hmvc 7;"), ["abort", forgotten]);
    // What is not sent stays with the position.
    assert_eq!((seat.moves().as_str(), seat.counters()), ("", (7, 1)));
    seat.told("refcom execute; sm Nf6;");
    assert_eq!(seat.counters(), (8, 2));
    assert_eq!(seat.told("refcom execute; fmvn 9;"), ["abort", forgotten]);
    assert_eq!((seat.moves().as_str(), seat.counters()), ("", (8, 9)));
    // And goes with another one.
    seat.hear(EN_PASSANT, "refcom execute;");
    assert_eq!(
        (seat.fields().as_str(), seat.counters()),
        (EN_PASSANT, (0, 1))
    );
}

/// Decision 50: a right that is lost does not begin the count anew.
#[test]
fn counters_are_those_of_the_opcode() {
    let mut seat = Seat::new();
    seat.hear(
        "4k3/8/8/8/8/8/8/4K2R w K -",
        "refcom reset; hmvc 5; fmvn 9;",
    );
    seat.play("", "Rg1");
    assert_eq!(seat.counters(), (6, 9));
    seat.play("sm Kd7;", "Rg7+");
    assert_eq!(seat.counters(), (8, 10));
}

/// Decision 51.
#[test]
fn what_came_before_a_position_is_unknown() {
    let mut seat = Seat::new();
    seat.hear(
        "4k3/8/8/8/8/8/8/4K2R w - -",
        "refcom reset; hmvc 97; fmvn 60;",
    );
    assert_eq!(seat.session.game.repetitions(), 1);
    seat.play("", "Rh2");
    seat.told("refcom respond; sm Kd7;");
    assert_eq!(
        seat.think("Rh3", 0),
        ["draw_claim; refreq reply; sm Rh3;", "ponder"]
    );
}

/// Decision 52: the moves from the position onward, of which `sm` is the first.
#[test]
fn history_that_is_sent() {
    for (operations, moves) in [
        ("refcom reset; sv Nf3 Nf6;", "g1f3 g8f6"),
        ("refcom reset; sm Nf3; sv Nf3 Nf6;", "g1f3 g8f6"),
        ("refcom reset; sm Nf3;", "g1f3"),
        (
            "refcom execute; sv Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8;",
            "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
        ),
        ("refcom respond; sm Nf3; sv Nf3;", "g1f3"),
    ] {
        let mut seat = Seat::new();
        seat.told(operations);
        assert_eq!(seat.moves(), moves, "{operations}");
    }
    for (operations, why) in [
        (
            "refcom execute; sm Nc3; sv Nf3 Nf6;",
            "sm is not the first move of sv",
        ),
        ("refcom execute; sm Nf6; sv Nf3 Nf6;", "illegal move Nf6"),
        ("refcom reset; sm e5;", "illegal move e5"),
    ] {
        let mut seat = Seat::new();
        assert!(seat.told(operations).ends_with(&fault(why)), "{operations}");
        assert_eq!(seat.moves(), "");
    }
    let mut seat = Seat::new();
    let heard = seat.told("refcom execute; sv Nf3 Nf3;");
    assert!(
        heard[1].ends_with("refreq fault;") && seat.moves().is_empty(),
        "{heard:?}"
    );
}

/// Decision 53: the position is taken, the move is not.
#[test]
fn an_illegal_move_is_a_fault() {
    for command in ["respond", "execute"] {
        let mut seat = Seat::new();
        seat.told("refcom respond;");
        let fields = "4k3/8/8/8/8/8/8/4K2R w K -";
        let heard = seat.hear(fields, &format!("refcom {command}; sm Rh9;"));
        assert_eq!(heard[0], "abort");
        assert_eq!(heard[1..], fault("illegal move Rh9"));
        assert_eq!(
            (seat.fields().as_str(), seat.moves().as_str()),
            (fields, "")
        );
        assert!(seat.think("O-O", 0).is_empty(), "{command}");
        // It goes on when the referee does.
        assert_eq!(
            seat.play("sm Rh8+;", "Kd7"),
            ["refreq reply; sm Kd7;", "ponder"]
        );
    }
}

/// Decision 56: what the engine thinks, if it is to be told.
#[test]
fn replies_may_tell_the_analysis() {
    let mut seat = Seat {
        session: Session::new("Epode", Manners::default(), true),
        now: Instant::now(),
    };
    seat.hear(START, "refcom reset;");
    assert_eq!(
        seat.play("", "e4")[0],
        "acd 7; acn 1234; acs 2; ce 10; pv e4; refreq reply; sm e4;"
    );
}

/// Decisions 57 and 62: who has no move has nothing to say.
#[test]
fn mate_and_stalemate_are_answered_without_a_move() {
    for fields in [MATED, STALEMATED] {
        let mut seat = Seat::new();
        assert_eq!(seat.hear(fields, "refcom respond;"), ["abort", "think"]);
        assert_eq!(seat.think("", -32767), ["refreq reply;"]);
    }
}

/// Decision 60: the player counts for itself.
#[test]
fn the_number_of_repetitions_is_our_own() {
    let mut seat = Seat::new();
    seat.told("refcom respond; rc 3;");
    assert_eq!(seat.session.game.repetitions(), 1);
    assert_eq!(seat.think("e4", -50), ["refreq reply; sm e4;", "ponder"]);
}

/// Decisions 64 and 66: who resigns does not move.
#[test]
fn a_lost_game_is_resigned() {
    let resign = Streak {
        score: -500,
        moves: 2,
    };
    let mut seat = Seat::with(Manners::new(Some(resign), None, 0, 0));
    seat.hear(START, "refcom reset;");
    seat.told("refcom respond;");
    seat.think("f3", -600);
    seat.told("refcom respond; sm e5; draw_offer;");
    assert_eq!(seat.think("Nh3", -500), ["refreq reply; resign;"]);
    assert_eq!(seat.moves(), "f2f3 e7e5");
}

/// Decisions 67 to 69: an offer is accepted without a move, or rejected with one.
#[test]
fn offers_are_answered() {
    let offer = "refcom respond; sm e4; draw_offer;";
    let mut seat = Seat::new();
    seat.told(offer);
    assert_eq!(seat.think("e5", 0), ["draw_accept; refreq reply;"]);
    assert_eq!(seat.moves(), "e2e4");
    let mut seat = Seat::new();
    seat.told(offer);
    assert_eq!(
        seat.think("e5", 1),
        ["draw_reject; refreq reply; sm e5;", "ponder"]
    );
    // Decision 73: an offer lives until it is answered.
    assert_eq!(
        seat.play("sm Nf3;", "Nc6"),
        ["refreq reply; sm Nc6;", "ponder"]
    );
}

/// Decisions 68 and 71: an offer goes with a move.
#[test]
fn draws_are_offered_with_a_move() {
    let offer = Streak {
        score: 20,
        moves: 2,
    };
    let mut seat = Seat::with(Manners::new(None, Some(offer), 2, 0));
    seat.hear(START, "refcom reset;");
    assert_eq!(seat.play("", "e4"), ["refreq reply; sm e4;", "ponder"]);
    assert_eq!(
        seat.play("sm e5;", "Nf3"),
        ["draw_offer; refreq reply; sm Nf3;", "ponder"]
    );
    // Decision 69: that it was rejected is no reason for anything.
    assert_eq!(
        seat.play("sm Nc6; draw_reject;", "Bb5"),
        ["refreq reply; sm Bb5;", "ponder"]
    );
}

/// Decision 70: an offer may answer another.
#[test]
fn a_counter_offer() {
    let offer = Streak {
        score: 20,
        moves: 1,
    };
    let mut seat = Seat::with(Manners::new(None, Some(offer), 0, 0));
    seat.hear(START, "refcom reset;");
    assert_eq!(
        seat.play("sm e4; draw_offer;", "e5"),
        ["draw_offer; draw_reject; refreq reply; sm e5;", "ponder"]
    );
}

/// Decision 74: a draw on the board is claimed without a move, one that our move makes with it.
#[test]
fn draws_are_claimed() {
    let there_and_back = "sv Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8;";
    let mut seat = Seat::new();
    seat.told(&format!("refcom respond; {there_and_back}"));
    assert_eq!(seat.think("e4", 0), ["draw_claim; refreq reply;"]);
    assert_eq!(seat.session.game.moves().len(), 8);

    let mut seat = Seat::new();
    seat.told(&format!(
        "refcom respond; {}",
        there_and_back.replace(" Ng8;", ";")
    ));
    assert_eq!(
        seat.think("Ng8", 0),
        ["draw_claim; refreq reply; sm Ng8;", "ponder"]
    );
}

/// Decision 74, for each reason; who is better does not claim.
#[test]
fn reasons_to_claim() {
    for (fields, operations, text, claims) in [
        (
            "4k3/8/8/8/8/8/8/R3K3 w - -",
            "hmvc 99;",
            "Ra2",
            "draw_claim; refreq reply; sm Ra2;",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K3 w - -",
            "hmvc 100;",
            "Ra2",
            "draw_claim; refreq reply;",
        ),
        (
            "4k3/8/8/8/8/8/8/N3K3 w - -",
            "",
            "Nb3",
            "draw_claim; refreq reply;",
        ),
        (
            "4k3/8/8/8/8/8/4r3/4K3 w - -",
            "",
            "Kxe2",
            "draw_claim; refreq reply; sm Kxe2;",
        ),
    ] {
        for (score, expected) in [(0, claims), (50, &*format!("refreq reply; sm {text};"))] {
            let mut seat = Seat::new();
            seat.hear(fields, &format!("refcom respond; {operations}"));
            assert_eq!(seat.think(text, score)[0], expected, "{fields}");
        }
    }
}

/// Decision 75: a claim that the referee rejects is not made again and again.
#[test]
fn a_rejected_claim_is_not_repeated() {
    let fields = "4k3/8/8/8/8/8/8/R3K3 w - -";
    let mut seat = Seat::new();
    seat.hear(fields, "refcom respond; hmvc 100;");
    assert_eq!(seat.think("Ra2", 0), ["draw_claim; refreq reply;"]);
    assert_eq!(
        seat.told("refcom respond; draw_reject;"),
        ["abort", "think"]
    );
    assert_eq!(
        seat.think("Ra2", 0),
        ["draw_claim; refreq reply; sm Ra2;", "ponder"]
    );
}

/// Decision 84: the referee's clocks count, on every record; a reply has none.
#[test]
fn clocks_come_from_the_referee() {
    let mut seat = Seat::new();
    seat.told("refcom inform; ptp TimeControl \"60\"; cc 000:00:00:01 000:00:00:02;");
    assert_eq!(seat.watch().0, [59_000, 58_000]);
    seat.told("refcom respond; cc 000:00:00:03 000:00:00:04;");
    assert_eq!(seat.watch().0, [57_000, 56_000]);
    assert_eq!(seat.think("e4", 0), ["refreq reply; sm e4;", "ponder"]);
    // Decision 93: those of a game that is resumed are those of its last records.
    seat.told("refcom execute; sm e5; cc 000:00:00:30 000:00:00:40;");
    assert_eq!(seat.watch().0, [30_000, 20_000]);
    seat.hear(
        START,
        "refcom reset; ptp TimeControl \"60\"; cc 000:00:00:00 000:00:00:00;",
    );
    assert_eq!(seat.watch().0, [60_000, 60_000]);
}

/// Decision 86: nothing is left rather than less than nothing.
#[test]
fn more_time_used_than_given() {
    let mut seat = Seat::new();
    seat.told("refcom respond; ptp TimeControl \"5\"; cc 000:00:00:06 999:23:59:59;");
    assert_eq!(seat.watch().0, [0, 0]);
}

/// Decisions 86 to 88: milliseconds go before whole seconds, and days have one to four digits.
#[test]
fn milliseconds_go_before_seconds() {
    let mut seat = Seat::new();
    seat.told("refcom inform; ptp TimeControl \"60\";");
    seat.told("refcom respond; cc 0000:00:00:03 0000:00:00:04;");
    assert_eq!(seat.watch().0, [57_000, 56_000]);
    seat.told(
        "refcom respond; cc 000:00:00:03 000:00:00:04; \
         ctcc 000.00:00:02.250 000.00:00:03.001;",
    );
    assert_eq!(seat.watch().0, [57_750, 56_999]);
}

/// Decision 85: what the referee charges beyond our own watch is lost on the way.
#[test]
fn the_way_to_the_referee_is_measured() {
    let mut seat = Seat::new();
    seat.told("refcom respond; ctcc 000.00:00:00.000 000.00:00:00.000;");
    seat.think("e4", 0);
    seat.told("refcom respond; sm e5; ctcc 000.00:00:01.050 000.00:00:09.000;");
    assert_eq!(seat.session.lag().expected(), Duration::from_millis(50));
    // Less is believed slowly, more at once, and no more than a second.
    seat.think("Nf3", 0);
    seat.told("refcom respond; sm Nc6; ctcc 000.00:00:02.050 000.00:00:19.000;");
    assert_eq!(seat.session.lag().expected(), Duration::from_micros(47_500));
    seat.think("Bb5", 0);
    seat.told("refcom respond; sm a6; ctcc 000.00:00:59.000 000.00:00:29.000;");
    assert_eq!(seat.session.lag().expected(), Duration::from_secs(1));
    // Whole seconds say nothing.
    let mut seat = Seat::new();
    seat.told("refcom respond; cc 000:00:00:00 000:00:00:00;");
    seat.think("e4", 0);
    seat.told("refcom respond; sm e5; cc 000:00:00:09 000:00:00:00;");
    assert_eq!(seat.session.lag().expected(), Duration::ZERO);
}

/// Decisions 91, 92 and 95: a game is resumed move by move.
#[test]
fn executes_lead_through_a_game() {
    let mut seat = Seat::new();
    for (sent, moves) in [
        ("e4", "e2e4"),
        ("e5", "e2e4 e7e5"),
        ("Nf3", "e2e4 e7e5 g1f3"),
    ] {
        assert_eq!(seat.told(&format!("refcom execute; sm {sent};")), ["abort"]);
        assert_eq!(seat.moves(), moves);
    }
    assert_eq!(seat.session.color, None);
    assert_eq!(
        seat.play("sm Nc6;", "Bb5"),
        ["refreq reply; sm Bb5;", "ponder"]
    );
    assert_eq!(seat.session.color, Some(Color::White));
    assert_eq!(seat.session.plies[3].score, None);
    // Decision 91: without a move the position alone is taken over.
    assert_eq!(seat.told("refcom execute;"), ["abort"]);
}

/// Decision 97: who was on the move is asked again, and answers again.
#[test]
fn a_respond_that_is_repeated() {
    let mut seat = Seat::new();
    seat.told("refcom respond; sm e4;");
    assert_eq!(seat.think("e5", 0), ["refreq reply; sm e5;", "ponder"]);
    let before = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3";
    let heard = seat.hear(before, "refcom respond;");
    assert_eq!(heard.last().map(String::as_str), Some("think"));
    assert_eq!(seat.think("c5", 0), ["refreq reply; sm c5;", "ponder"]);
}

/// Decisions 98 and 99: the operator is told, and the player stays.
#[test]
fn a_fault_of_the_referee() {
    let mut seat = Seat::new();
    seat.play("", "e4");
    assert_eq!(
        seat.hear(MATED, "refcom fault; c0 \"disk full\";"),
        ["abort", "tell the referee reports a fault: disk full"]
    );
    assert_eq!(seat.moves(), "e2e4");
    assert_eq!(
        seat.play("sm e5;", "Nf3"),
        ["refreq reply; sm Nf3;", "ponder"]
    );
}

/// What the event advises, where it does; it is forgotten with the game.
#[test]
fn advice() {
    let mut seat = Seat::new();
    assert_eq!(seat.session.advice(), [None, None]);
    seat.told("refcom inform; ptp TimeControl \"-\" SearchNodes \"500\" SearchDepth \"0\";");
    assert_eq!(seat.session.advice(), [Some(500), None]);
    assert_eq!(seat.session.watch(), None);
    seat.hear(START, "refcom reset;");
    assert_eq!(seat.session.advice(), [None, None]);
}
