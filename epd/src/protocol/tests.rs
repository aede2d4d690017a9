//! Tests of messages and of the records that carry them.

use movegen::{Move, Position};

use super::command::{Command, ProtocolError, Request};
use super::message::{Message, Supplied, Term, printable};
use crate::opcode::PlayerActions;
use crate::opcode::time::Clock;
use crate::parse::reader::read;
use crate::record::Record;
use crate::record::operation::Operation;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

fn record(operations: &str) -> Record {
    let line = format!("{START} {operations}");
    read(&line, &mut Vec::new()).expect("readable")
}

fn reply(operations: &str) -> Message {
    match Request::read(&record(&format!("refreq reply; {operations}"))) {
        Ok(Request::Reply(message)) => message,
        other => panic!("{operations}: {other:?}"),
    }
}

fn e4() -> Move {
    "e2e4"
        .parse::<movegen::UciMove>()
        .expect("squares")
        .find(&Position::start())
        .expect("legal")
}

#[test]
fn messages_turn_into_records_and_back() {
    let start = Position::start();
    let full = Message {
        halfmove_clock: Some(0),
        fullmove_number: Some(1),
        supplied: Some(Supplied::Move(e4())),
        history: vec![e4()],
        clocks: Some((Clock::from_seconds(1), Clock::from_seconds(2))),
        chess_clocks: Some((
            "000.00:00:00.500".parse().expect("a clock"),
            "000.00:00:01.500".parse().expect("a clock"),
        )),
        repetitions: Some(2),
        actions: PlayerActions::OFFER_DRAW | PlayerActions::REJECT_DRAW,
        tags: vec![
            ("Event".into(), "a".into()),
            ("Date".into(), "????.??.??".into()),
        ],
        text: Some("words".into()),
        name: Some("Epode".into()),
        analysis: vec![
            Operation::new("acd").symbol(7),
            Operation::new("ce").symbol(-3),
        ],
        term: Some(Term {
            number: 2,
            proof: "0af3".into(),
        }),
        machine: Some("abacus, 1 thread".into()),
        speed: Some(1_234_567),
        ..Message::at(&start)
    };
    for message in [Message::at(&start), full] {
        for command in [
            Command::Conclude(message.clone()),
            Command::Disconnect(message.clone()),
            Command::Execute(message.clone()),
            Command::Fault(message.clone()),
            Command::Inform(message.clone()),
            Command::Reset(message.clone()),
            Command::Respond(message.clone()),
        ] {
            let line = command.record().to_string();
            let back = Command::read(&line.parse().expect("exact")).expect(&line);
            assert_eq!(back, command, "{line}");
            assert!(matches!(
                Request::read(&command.record()),
                Err(ProtocolError::Missing { .. })
            ));
        }
        for request in [
            Request::Fault(message.clone()),
            Request::Reply(message.clone()),
            Request::SignOff(message.clone()),
            Request::SignOn(message.clone()),
        ] {
            let line = request.record().to_string();
            let back = Request::read(&line.parse().expect("exact")).expect(&line);
            assert_eq!(back, request, "{line}");
        }
    }
}

/// Decision 145.
#[test]
fn what_a_player_runs_on() {
    let read = |operations: &str| {
        let message = reply(operations);
        (message.machine.map(String::from), message.speed)
    };
    assert_eq!(
        read("Machine \" abacus \"; Speed 12;"),
        (Some("abacus".to_owned()), Some(12))
    );
    for nothing in [
        "",
        "Machine; Speed;",
        "Machine \" \"; Speed 0;",
        "Speed -1;",
        "Speed fast;",
    ] {
        assert_eq!(read(nothing), (None, None), "{nothing}");
    }
    let message = Message {
        machine: Some(format!("a \"b\"\t\u{e9}{}", "x".repeat(300)).into()),
        ..Message::at(&Position::start())
    };
    let record = Request::SignOn(message).record();
    let machine = record.get("Machine").expect("there").operands[0]
        .text()
        .to_owned();
    assert!(
        machine.starts_with("a 'b'?xxx") && machine.len() == 255,
        "{machine}"
    );
}

/// Decisions 6 and 7.
#[test]
fn records_that_are_not_messages() {
    for (operations, text) in [
        ("bm e4;", "no refcom in the record"),
        ("refcom;", "no refcom in the record"),
        (
            "refcom reset; refreq reply;",
            "both refcom and refreq in the record",
        ),
        (
            "refcom move;",
            "refcom \"move\" is none of conclude disconnect execute fault inform reset respond",
        ),
        (
            "refcom Reset;",
            "refcom \"Reset\" is none of conclude disconnect execute fault inform reset respond",
        ),
    ] {
        assert_eq!(
            Command::read(&record(operations))
                .expect_err(operations)
                .to_string(),
            text
        );
    }
    // Decision 14: the operand may be in quotes.
    assert!(matches!(
        Command::read(&record("refcom \"reset\";")),
        Ok(Command::Reset(_))
    ));
}

/// Decision 29.
#[test]
fn positions_that_do_not_matter() {
    let illegal = |word: &str| {
        let line = format!("8/8/8/8/8/8/8/8 w - - {word};");
        read(&line, &mut Vec::new()).expect("readable")
    };
    for word in ["conclude", "disconnect", "fault", "inform"] {
        let command = Command::read(&illegal(&format!("refcom {word}"))).expect(word);
        assert_eq!(command.message().position, None);
    }
    for word in ["execute", "reset", "respond"] {
        let error = Command::read(&illegal(&format!("refcom {word}"))).expect_err(word);
        assert!(matches!(error, ProtocolError::Position(_)));
    }
    assert!(Request::read(&illegal("refreq sign_on")).is_ok());
    assert!(Request::read(&illegal("refreq reply")).is_err());
}

/// Decisions 53, 54 and 55.
#[test]
fn supplied_moves() {
    assert_eq!(reply("sm e4;").supplied_move(), Some(e4()));
    assert_eq!(reply("sm e2e4;").supplied_move(), Some(e4()));
    assert_eq!(
        reply("sm e5;").supplied,
        Some(Supplied::Unplayable("e5".into()))
    );
    assert_eq!(reply("sm;").supplied, None);
    // Decision 52.
    let played = reply("sm e4; sv e4 e5;");
    assert_eq!(
        (played.supplied_move(), played.history.len()),
        (Some(e4()), 2)
    );
    assert!(matches!(
        reply("sv e4 e4;").supplied,
        Some(Supplied::Unplayable(_))
    ));
}

/// Decisions 66, 67 and 70.
#[test]
fn one_draw_operation_counts() {
    let actions = |operations: &str| reply(operations).actions;
    assert_eq!(actions("draw_offer; sm e4;"), PlayerActions::OFFER_DRAW);
    assert_eq!(
        actions("draw_decline; draw_offer; sm e4;"),
        PlayerActions::OFFER_DRAW | PlayerActions::REJECT_DRAW
    );
    assert_eq!(
        actions("draw_accept; draw_reject;"),
        PlayerActions::REJECT_DRAW
    );
    assert_eq!(
        actions("draw_claim; draw_offer; sm e4;"),
        PlayerActions::CLAIM_DRAW
    );
    assert_eq!(
        actions("draw_accept; draw_offer; resign; sm e4;"),
        PlayerActions::RESIGN
    );
}

/// Decision 15.
#[test]
fn names() {
    let name = |operations: &str| {
        let request = Request::read(&record(&format!("refreq sign_on; {operations}")));
        request.expect("a request").message().name.clone()
    };
    assert_eq!(
        name("tcsi \"a@b\" \"Epode\"; id \"other\";").as_deref(),
        Some("Epode")
    );
    assert_eq!(
        name("id \"other\"; tcsi \"a@b\" \"\";").as_deref(),
        Some("other")
    );
    assert_eq!(name("ptp White \"Kit\";").as_deref(), Some("Kit"));
    assert_eq!(name("ptp White \"Kit\" Black \"?\";"), None);
    assert_eq!(name(""), None);
}

/// Decisions 5, 35 and 36.
#[test]
fn tags() {
    let message = reply("ptp Event \"a\" Event \"b\" White;");
    assert_eq!(
        (message.tag("Event"), message.tag("White")),
        (Some("b"), None)
    );
    let long = "x".repeat(300);
    assert_eq!(printable("K\u{e4}se \"x\"\n"), "K?se 'x'");
    assert_eq!(printable(&long).len(), 255);
}
