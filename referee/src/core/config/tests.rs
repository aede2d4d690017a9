//! Tests of reading and checking event files.

use super::*;
use crate::core::openings::Opening;
use crate::core::schedule;

#[test]
fn the_template_is_an_event() {
    let config = Config::read(TEMPLATE).expect("sound");
    assert_eq!(config.players.len(), 2);
    assert!(config.to_string().contains("2 games"));
    // What the template says of defaults is so.
    let bare = "event = \"x\"\n[[player]]\nname = \"a\"\n[[player]]\nname = \"b\"\n";
    let bare = Config::read(bare).expect("sound");
    for (one, other) in [
        (bare.delays.reset, config.delays.reset),
        (bare.delays.conclude, config.delays.conclude),
        (bare.rules.time_margin, config.rules.time_margin),
        (bare.rules.reconnect_timeout, config.rules.reconnect_timeout),
        (bare.rules.move_timeout, config.rules.move_timeout),
        (
            bare.rules.mate_reply_timeout,
            config.rules.mate_reply_timeout,
        ),
        (bare.rules.sign_on_timeout, config.rules.sign_on_timeout),
        (bare.rules.ping, config.rules.ping),
    ] {
        assert_eq!(one, other);
    }
    for (one, other) in [
        (bare.rules.max_forfeits, config.rules.max_forfeits),
        (
            bare.rules.max_disconnections,
            config.rules.max_disconnections,
        ),
    ] {
        assert_eq!(one, other);
    }
}

/// The template with the settings uncommented that `wanted` says.
fn uncommented(wanted: impl Fn(&str) -> bool) -> String {
    let is_setting = |line: &str| {
        let word = line.split([' ', ']']).next().unwrap_or_default();
        let name = word.trim_start_matches('[');
        let is_name = name
            .bytes()
            .all(|byte| byte == b'_' || byte.is_ascii_lowercase() || byte.is_ascii_digit());
        !name.is_empty()
            && is_name
            && (word.starts_with('[') || line[word.len()..].starts_with(" = "))
    };
    let lines = TEMPLATE.lines().map(|line| match line.strip_prefix("# ") {
        Some(setting) if is_setting(setting) && wanted(setting) => setting,
        _ => line,
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn every_comment_of_the_template_is_a_setting_in_its_place() {
    // The template's event is a match, which has no rounds.
    let config = uncommented(|setting| !setting.starts_with("rounds"));
    let config = Config::read(&config).expect("sound");
    assert_eq!(config.openings.as_ref().expect("there").plies, 16);
    assert_eq!(config.limits.depth, Some(12));
    assert_eq!(config.players[0].instances, Some(1));
    assert!(config.adjudication.draw.is_some() && config.adjudication.win.is_some());
    assert!(config.sprt.is_some());
    // Settings that are marked as defaults change nothing.
    let without =
        uncommented(|setting| !setting.contains("(default)") && !setting.starts_with("rounds"));
    // One more is in the introduction, which explains the word.
    assert_eq!(without.matches("(default)").count(), 18 + 1, "{without}");
    let without = Config::read(&without).expect("sound");
    assert_eq!(format!("{config:?}"), format!("{without:?}"));
}

#[track_caller]
fn refuses(text: &str, message: &str) {
    let error = Config::read(text).expect_err(text).to_string();
    assert!(error.contains(message), "{error}");
}

#[test]
fn what_is_no_event() {
    let two = "event = \"x\"\n[[player]]\nname = \"a\"\n[[player]]\nname = \"b\"\n";
    refuses("", "missing field `event`");
    refuses("event = \"x\"", "0 players, expected at least 2");
    refuses(
        &two.replace("\"b\"", "\"a\""),
        "two players have the name \"a\"",
    );
    refuses(&two.replace("\"b\"", "\" \""), "a player has an empty name");
    refuses(
        &two.replace("\"b\"", "\"b \""),
        "player \"b \" has a space at an end of its name",
    );
    refuses(
        &format!("{two}command = \"epode client {{adress}}\"\n"),
        "the command of player \"b\" has {adress}, which is no placeholder",
    );
    refuses(
        &format!("tme_control = \"5\"\n{two}"),
        "unknown field `tme_control`",
    );
    refuses(
        &format!("time_control = \"5m\"\n{two}"),
        "\"5m\" is not a time control",
    );
    refuses(&format!("concurrency = 0\n{two}"), "concurrency is 0");
    refuses(
        &format!("{two}instances = 0\n"),
        "player \"b\" has instances = 0",
    );
    refuses(
        &format!("{two}[rules]\nping = \"10ms\"\n"),
        "ping is below 1s",
    );
    refuses(
        &format!("{two}[sprt]\nelo0 = 5\nelo1 = 0\n"),
        "[sprt]: elo0 is 5 and elo1 is 0, expected numbers with elo0 below elo1",
    );
    refuses(
        &format!("{two}[[player]]\nname = \"c\"\n[sprt]\nelo0 = 0\nelo1 = 5\n"),
        "[sprt] compares two players, but the event has 3",
    );
    refuses(
        &format!("{two}[rules]\ntime_margin = \"x\"\n"),
        "\"x\" is not a duration",
    );
    refuses(
        &format!("format = \"danish\"\n{two}"),
        "unknown variant `danish`",
    );
    let syntax = Config::read("event = \"x\nlisten = 1")
        .expect_err("open string")
        .to_string();
    assert!(syntax.contains("line 1, column"), "{syntax}");
}

#[test]
fn settings_of_other_formats() {
    let two = "event = \"x\"\n[[player]]\nname = \"a\"\n[[player]]\nname = \"b\"\n";
    for (head, tail, message) in [
        (
            "ladder = { games = 1 }",
            "",
            "[ladder] is about events with format = \"ladder\"",
        ),
        (
            "format = \"swiss\"",
            "anchor = 1",
            "`anchor` is about events with format = \"ladder\"",
        ),
        (
            "format = \"ladder\"",
            "byes = [1]",
            "`byes` is about events with format = \"swiss\"",
        ),
        (
            "",
            "group = \"g\"",
            "`group` is about events with format = \"swiss\" or \"ladder\"",
        ),
        ("forbidden = [[\"a\"]]", "", "`forbidden` is about"),
        (
            "format = \"match\"\nrounds = 2",
            "",
            "`rounds` is about events with format = \"round-robin\" or \"gauntlet\" or \"swiss\"",
        ),
        (
            "seeds = 1",
            "",
            "`seeds` is about events with format = \"gauntlet\"",
        ),
        (
            "format = \"swiss\"\nforbidden = [[\"a\", \"c\"]]",
            "",
            "no player has the name \"c\"",
        ),
        (
            "format = \"knockout\"\ntie_breaks = [\"SB\"]",
            "",
            "`tie_breaks` is about",
        ),
        ("tie_breaks = [\"XY\"]", "", "\"XY\""),
        (
            "format = \"swiss\"",
            "byes = [2]",
            "a bye in round 2, expected a round from 1 to 1",
        ),
        (
            "format = \"ladder\"",
            "anchor = 1\nrating = 1",
            "expected one of them",
        ),
        (
            "format = \"swiss\"\nrounds = 2",
            "",
            "2 rounds for 2 players, expected at most 1",
        ),
        (
            "format = \"knockout\"\ngames_per_pairing = 3",
            "",
            "games_per_pairing is 3",
        ),
        ("format = \"swiss\"\nrounds = 0", "", "rounds is 0"),
    ] {
        refuses(&format!("{head}\n{two}{tail}\n"), message);
    }
}

#[test]
fn formats_that_grow_are_explained() {
    let players = (0..10).fold(String::new(), |text, n| {
        text + &format!("[[player]]\nname = \"p{n}\"\n")
    });
    for (head, text) in [
        (
            "format = \"swiss\"\nswiss = { acceleration = \"baku\" }",
            "Swiss event (FIDE Dutch system), 4 rounds of 2 games each, accelerated by the Baku method, up to 1 at the \
             same time\ntie-breaks: BH-C1, BH, SB\n",
        ),
        (
            "format = \"knockout\"",
            "knockout, matches of 2 games, then up to 8 pairs of games until a match is decided, then the better seed wins, \
             with a match for the third place, up to 1 at the same time\n",
        ),
        (
            "format = \"ladder\"\ngames_per_pairing = 1",
            "ladder, one game each time two players meet, without end, up to 1 at the same time\n",
        ),
        (
            "tie_breaks = [\"de\", \"buchholz-cut-1\"]",
            "\ntie-breaks: DE, BH-C1\n",
        ),
    ] {
        let config = Config::read(&format!("event = \"x\"\n{head}\n{players}")).expect(head);
        assert!(config.to_string().contains(text), "{config}");
    }
}

/// `check` says how many games really run side by side.
#[test]
fn games_side_by_side() {
    let at_once = |head: &str, players: &[&str]| {
        let players = players.iter().enumerate();
        let players = players.map(|(i, more)| format!("[[player]]\nname = \"{i}\"\n{more}\n"));
        let players: String = players.collect();
        let config = Config::read(&format!(
            "event = \"x\"\nconcurrency = 8\n{head}\n{players}"
        ));
        config.expect("sound").games_at_once()
    };
    let (started, four) = ("command = \"x\"", "instances = 4");
    assert_eq!(at_once("format = \"match\"", &["", ""]), 1);
    assert_eq!(at_once("format = \"match\"", &[started, started]), 8);
    assert_eq!(at_once("format = \"match\"", &[started, four]), 4);
    assert_eq!(at_once("", &["", "", "", ""]), 2);
    assert_eq!(at_once("", &[started, started, started]), 8);
    assert_eq!(at_once("", &["instances = 8", "", ""]), 2);
    assert_eq!(at_once("format = \"gauntlet\"", &[four, "", "", ""]), 3);
}

/// The referee starts a player as often as all games at once need: the seed of a gauntlet plays all of them, and
/// where few others are free a player is started once more, so that nobody waits for games that last longer.
#[test]
fn players_are_started_as_often_as_needed() {
    let instances = |head: &str, players: usize, concurrency: usize| {
        let players = (0..players).fold(String::new(), |text, i| {
            text + &format!("[[player]]\nname = \"{i}\"\ncommand = \"x\"\n")
        });
        let text = format!("event = \"x\"\nconcurrency = {concurrency}\n{head}\n{players}");
        let config = Config::read(&text).expect(&text);
        assert_eq!(config.games_at_once(), concurrency, "{text}");
        let count = config.player_count();
        [config.instances(0), config.instances(count - 1)]
    };
    for (head, players, concurrency, expected) in [
        ("format = \"gauntlet\"", 5, 2, [2, 1]),
        ("format = \"gauntlet\"", 5, 4, [4, 2]),
        ("format = \"gauntlet\"\nseeds = 2", 8, 2, [2, 1]),
        ("format = \"gauntlet\"\nseeds = 4", 24, 2, [1, 1]),
        ("", 4, 2, [2, 2]),
        ("", 4, 1, [1, 1]),
        ("", 8, 2, [1, 1]),
        ("", 8, 4, [2, 2]),
        ("", 3, 8, [7, 7]),
        ("format = \"match\"", 2, 8, [8, 8]),
        ("format = \"swiss\"", 8, 4, [1, 1]),
    ] {
        let found = instances(head, players, concurrency);
        assert_eq!(found, expected, "{head} {players} {concurrency}");
    }
}

#[test]
fn where_an_event_is_kept() {
    let config = Config::read(TEMPLATE).expect("sound");
    assert_eq!(
        config.directory(Path::new("a/cup.toml")),
        Path::new("a/cup")
    );
    let elsewhere = Config {
        directory: Some("b".into()),
        ..config
    };
    assert_eq!(
        elsewhere.directory(Path::new("a/cup.toml")),
        Path::new("a/b")
    );
}

/// Where the openings begin, and in which order they come.
#[test]
fn the_order_of_openings() {
    let players = "[[player]]\nname = \"a\"\n[[player]]\nname = \"b\"\n";
    let text = |settings: &str| {
        format!(
            "event = \"x\"\ngames_per_pairing = 6\n[openings]\nfile = \"b.epd\"\n{settings}\n{players}"
        )
    };
    let openings = |settings: &str| {
        let config = Config::read(&text(settings)).expect(settings);
        let games = schedule::schedule(&config.pairings(4)).expect("a schedule");
        games
            .iter()
            .step_by(2)
            .map(|game| game.opening)
            .collect::<Vec<_>>()
    };
    assert_eq!(openings("order = \"sequential\""), [0, 1, 2]);
    assert_eq!(openings("order = \"sequential\"\nstart = 4"), [3, 0, 1]);
    let drawn = openings("");
    assert_eq!(openings("order = \"random\"\nstart = 2")[..2], drawn[1..]);
    refuses(
        &text("start = 0"),
        "[openings]: start is 0, expected at least 1",
    );
    refuses(
        &text("order = \"reverse\""),
        "expected `sequential` or `random`",
    );
    refuses(&text("policy = 1"), "unknown field `policy`");
    let config = Config::read(&text("start = 3")).expect("sound");
    assert!(
        config
            .to_string()
            .contains("openings from b.epd, seed 0, from number 3 on"),
        "{config}"
    );
    let error = config
        .check_openings(&vec![Opening::default(); 2])
        .expect_err("too few");
    assert_eq!(
        error.to_string(),
        "[openings]: start is 3, expected from 1 to 2, the number of openings"
    );
}
