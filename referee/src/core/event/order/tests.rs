use super::*;

fn words(text: &str) -> Vec<String> {
    vec![text.to_owned()]
}

#[test]
fn orders_are_read() {
    let old_ann = || words("Old  Ann");
    for (line, order) in [
        (" status ", Order::Status),
        ("alone", Order::Alone),
        ("takeover", Order::Takeover),
        (
            "adjudicate 12 1/2",
            Order::Adjudicate {
                game: 12,
                result: Outcome::Draw,
            },
        ),
        ("kick 'Old  Ann'", Order::Kick { words: old_ann() }),
        ("restart \"Old  Ann\"", Order::Restart { words: old_ann() }),
        ("replay 3", Order::Replay { game: 3 }),
        ("pause 3", Order::Pause { game: Some(3) }),
        ("pause", Order::Pause { game: None }),
        (
            "message 'don''t \"panic\"'",
            Order::Message {
                words: words("don't \"panic\""),
            },
        ),
        (
            "extend 7 black 1min30s",
            Order::Extend {
                game: 7,
                side: Color::Black,
                duration: Duration::from_secs(90),
            },
        ),
        ("takeback 7 12", Order::Takeback { game: 7, ply: 12 }),
        (
            "forfeit 'Old Ann'",
            Order::Forfeit {
                player: "Old Ann".to_owned(),
                game: None,
            },
        ),
        (
            "replace Ann --command 'ann --name \"{name}\"'",
            Order::Replace {
                player: "Ann".to_owned(),
                name: None,
                command: Some("ann --name \"{name}\"".to_owned()),
                token: None,
            },
        ),
    ] {
        assert_eq!(line.parse(), Ok(order.clone()), "{line}");
        assert_eq!(order.to_string().parse(), Ok(order), "{line}");
    }
}

#[test]
fn results_are_written_in_several_ways() {
    for text in ["1/2", "1/2-1/2", "=", "½-½"] {
        let order = Order::Adjudicate {
            game: 1,
            result: Outcome::Draw,
        };
        assert_eq!(format!("adjudicate 1 {text}").parse(), Ok(order), "{text}");
    }
}

#[test]
fn an_order_is_explained() {
    for line in ["help extend", "extend --help", "extend 1 white 30s -h"] {
        let Err(NoOrder::Help(text)) = line.parse::<GivenOrder>() else {
            panic!("no help");
        };
        assert!(
            text.contains("<DURATION>") && text.contains("How much, such as 30s"),
            "{text}"
        );
        assert!(!text.contains("takeback"), "{text}");
    }
    let error = "forfeit Old Cid"
        .parse::<GivenOrder>()
        .expect_err("two words");
    assert!(
        error
            .to_string()
            .contains("a name of several words needs quotes"),
        "{error}"
    );
}

/// What is typed without quotes is understood where nothing else can be meant.
#[test]
fn words_without_quotes() {
    let given: GivenOrder = "kick Old Ann --reason don't ask"
        .parse()
        .unwrap_or_else(|error: NoOrder| panic!("{error}"));
    // `ask` belongs to the name: a reason of several words needs quotes.
    assert_eq!(given.order.to_string(), "kick 'Old Ann ask'");
    let line = "message I don't and won't --reason 'a \"b\" c' --by Eve";
    let given: GivenOrder = line.parse().expect(line);
    assert_eq!(given.order.to_string(), "message 'I don''t and won''t'");
    assert_eq!(given.reason.as_deref(), Some("a \"b\" c"));
    assert_eq!(given.by.as_deref(), Some("Eve"));
    assert_eq!(
        given
            .to_string()
            .parse::<GivenOrder>()
            .expect("an order")
            .reason,
        given.reason
    );
}

#[test]
fn what_is_no_order() {
    for (line, why) in [
        ("sing", "unrecognized subcommand 'sing'"),
        ("abort x", "invalid value 'x' for '<GAME>'"),
        ("adjudicate 1 2-0", "possible values: 1-0, 0-1, 1/2"),
        ("kick", "required arguments were not provided"),
        ("extend 1 red 1s", "possible values: white, black"),
        (
            "extend 1 white 1",
            "not a duration, expected for example 30s",
        ),
        ("extend 1 white 0s", "expected at least 1ms"),
        ("extend 1 white 10us", "whole milliseconds"),
        ("extend 1 white 999999h", "expected at most 1day"),
        ("takeback 1 -3", "unexpected argument '-3'"),
        ("replace Ann Zoe --token x", "is not the hash of a token"),
    ] {
        let error = line.parse::<GivenOrder>().expect_err(line);
        assert!(
            matches!(&error, NoOrder::Wrong(text) if text.contains(why)),
            "{error}"
        );
    }
    assert_eq!("".parse::<GivenOrder>(), Err(NoOrder::Empty));
}
