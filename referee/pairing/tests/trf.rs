//! Report files: what is read, what is written, what is refused.

use epode_pairing::trf::{Report, TrfError};
use epode_pairing::{Colour, Forbidden, Outcome, Pair, Round, Score, pair, review::review};

const EVENT: &str = "\
012 Open of Nowhere
XXR 5
XXC white1
001    1 m GM Adams, Ann                        2700 ENG      400041 1971/11/17  1.5    1     3 w 1     2 b =
001    2      Baker, Bob                        2600 SCO                         1.5    2     4 b 1     1 w =
001    3      Carter, Cay                       2500                             0.5    4     1 b 0  0000 - H
001    4      Dyer, Dan                                                          1.0    3     2 w 0  0000 - U
001    5      Evans, Eve                        2300                             0.0    5  0000 - Z            0000 - Z
";

fn refusal(from: &str, to: &str) -> TrfError {
    assert!(EVENT.contains(from), "{from}");
    Report::parse(&EVENT.replacen(from, to, 1)).unwrap_err()
}

#[test]
fn reads_all_columns() {
    let report = Report::parse(EVENT).unwrap();
    let event = &report.event;
    assert_eq!(
        (event.rounds, event.paired, event.first_colour),
        (5, 2, Colour::White)
    );
    assert_eq!(
        (event.players[0].name.as_str(), event.players[0].rating),
        ("Adams, Ann", 2700)
    );
    let details = &report.details[0];
    assert_eq!(
        (
            details.sex.as_str(),
            details.title.as_str(),
            details.federation.as_str()
        ),
        ("m", "GM", "ENG")
    );
    assert_eq!(
        (
            details.fide_number.as_str(),
            details.birth.as_str(),
            details.rank
        ),
        ("400041", "1971/11/17", Some(1))
    );
    let first = Round::Played {
        opponent: 2,
        colour: Colour::White,
        outcome: Outcome::Win,
        rated: true,
    };
    assert_eq!(event.players[0].rounds[0], first);
    assert_eq!(event.players[2].rounds[1], Round::HalfPointBye);
    assert_eq!(event.players[3].rounds[1], Round::PairingBye);
    assert_eq!(event.players[4].rounds, [Round::Absent; 3]);
    assert_eq!(report.lines, ["012 Open of Nowhere"]);
}

#[test]
fn what_is_written_reads_the_same() {
    let mut report = Report::parse(EVENT).unwrap();
    report.event.forbidden.push(Forbidden {
        players: vec![0, 3],
        rounds: None,
    });
    report.event.forbidden.push(Forbidden {
        players: vec![1, 2, 4],
        rounds: Some(2..=3),
    });
    report.event.players[1].virtual_points = vec![Score::tenths(10), Score::tenths(5)];
    report.event.points.absence = Score::tenths(1);
    report.event.points.pairing_bye = Score::tenths(5);
    report.event.first_colour = Colour::Black;
    let text = report.to_string();
    assert_eq!(Report::parse(&text), Ok(report), "{text}");
    let crlf = text.replace('\n', "\r\n");
    assert_eq!(Report::parse(&crlf), Report::parse(&text));
    assert_eq!(
        Report::parse(&text.replace('\n', "\r")),
        Report::parse(&text)
    );
}

#[test]
fn older_and_newer_settings_mean_the_same() {
    let old = "XXR 5\nXXC black1\nXXZ 2 3\nXXP 1 4\nXXA    1  1.0  0.5\nXXS W=3.0 D=1.0\n";
    let new = "142 5\n152 B\n240 Z   3    2    3\n260   1 999    1    4\n250       1.0   1   1    1    1\n250       0.5   2   2    1    1\n162  W 3.0    D 1.0\n";
    let of_players: Vec<&str> = EVENT
        .lines()
        .filter(|line| line.starts_with("001"))
        .collect();
    let players = of_players.join("\n");
    let players = players
        .replace(" 1.5    ", " 4.0    ")
        .replace(" 0.5    ", " 1.0    ")
        .replace(" 1.0    3", " 3.0    3");
    let [old, mut new] = [old, new].map(|settings| {
        Report::parse(&format!("{settings}{players}"))
            .unwrap()
            .event
    });
    assert_eq!(new.forbidden[0].rounds.take(), Some(0..=998));
    assert_eq!(old, new);
    assert_eq!(old.players[1].rounds[2], Round::Absent);
    assert_eq!(
        old.players[0].virtual_points,
        [Score::tenths(10), Score::tenths(5)]
    );
    assert_eq!(old.points.win, Score::tenths(30));
}

#[test]
fn errors_tell_line_and_column() {
    let cases = [
        (
            "XXR 5",
            "XXR five",
            "line 2, column 5: found \"five\", expected the number of rounds, from 1 to 999",
        ),
        (
            "XXR 5",
            "XXR",
            "line 2, column 4: found nothing, expected the number of rounds, from 1 to 999",
        ),
        (
            "XXR 5",
            "XXR 1",
            "line 2, column 5: found 1 rounds, but 2 rounds were paired",
        ),
        (
            "XXC white1",
            "XXP 1 9",
            "line 3, column 4: found player 9, but the report has 5 players",
        ),
        (
            "XXC white1",
            "XXA    1  one",
            "line 3, column 11: found \"one\", expected points such as 1.5",
        ),
        (
            "2700 ENG",
            "27x0 ENG",
            "line 4, column 49: found \"27x0\", expected a rating",
        ),
        (
            "   3 w 1",
            "   3 x 1",
            "line 4, column 97: found \"x\", expected the colour w, b or -",
        ),
        (
            "   3 w 1",
            "   3 w 7",
            "line 4, column 99: found \"7\", expected a result of a game: 1, =, 0, W, D, L, + or -",
        ),
        (
            "   3 w 1",
            "   3 - 1",
            "line 4, column 97: found \"-\", expected the colour w or b of a game",
        ),
        (
            "   3 w 1",
            "   9 w 1",
            "line 4, column 92: round 1: there is no player 9",
        ),
        (
            "   3 w 1",
            "   4 w 1",
            "line 4, column 92: round 1: player 4 has no game against this player with the other colour",
        ),
        (
            "0000 - H",
            "0000 - Q",
            "line 6, column 109: found \"Q\", expected a result without an opponent: U, F, H or Z",
        ),
        (
            " 0.5    4",
            " 2.5    4",
            "line 6, column 81: found 2.5 points, expected 0.5 by the results",
        ),
        (
            "001    5",
            "001    4",
            "line 8, column 5: found the starting rank 4 a second time",
        ),
        (
            "001    5",
            "001    6",
            "line 8, column 5: found starting rank 6, but no player with rank 5",
        ),
        (
            "001    5",
            "001    x",
            "line 8, column 5: found \"x\", expected the starting rank of a player, from 1 to 9999",
        ),
    ];
    for (from, to, expected) in cases {
        assert_eq!(refusal(from, to).to_string(), expected);
    }
}

#[test]
fn garbage_is_refused_or_read_but_never_panics() {
    for end in (0..EVENT.len()).filter(|&end| EVENT.is_char_boundary(end)) {
        if let Ok(report) = Report::parse(&EVENT[..end]) {
            let _ = pair(&report.event);
            let _ = review(&report.event);
        }
        let mut bytes = EVENT.as_bytes().to_vec();
        for replacement in [b' ', b'9', b'\n', b'w', b'-'] {
            bytes[end] = replacement;
            if let Ok(report) = Report::parse(std::str::from_utf8(&bytes).unwrap()) {
                let _ = pair(&report.event);
                assert_eq!(Report::parse(&report.to_string()).as_ref(), Ok(&report));
            }
        }
    }
}

#[test]
fn review_tells_what_the_rules_say() {
    let report = Report::parse(EVENT).unwrap();
    let differences = review(&report.event);
    // With four players, the first round is 1-3 and 4-2, as here. In the second, 3 is absent: of the three others,
    // 4 has the lowest score and gets the bye.
    assert_eq!(differences, []);
    let turned = EVENT
        .replacen("2 b =", "2 w =", 1)
        .replacen("1 w =", "1 b =", 1);
    let differences = review(&Report::parse(&turned).unwrap().event);
    assert_eq!(differences.len(), 1);
    assert_eq!(differences[0].round, 1);
    assert_eq!(differences[0].surplus, [Pair { white: 0, black: 1 }]);
    assert_eq!(
        differences[0].expected.as_ref().unwrap().pairs,
        [Pair { white: 1, black: 0 }]
    );
}

#[test]
fn long_names_and_odd_characters_stay_in_their_columns() {
    let mut report = Report::parse(EVENT).unwrap();
    report.event.players[0].name = "Engine with a very long name and a\nline break".to_owned();
    report.details[0].title = "Grand".to_owned();
    let read = Report::parse(&report.to_string()).unwrap();
    assert_eq!(
        read.event.players[0].name,
        "Engine with a very long name and ".trim()
    );
    assert_eq!(read.event.players[0].rounds, report.event.players[0].rounds);
}

/// Byes of later rounds than the next one are kept, and games still to be played are blank.
#[test]
fn what_is_still_to_come() {
    let text = EVENT.replace(
        "XXR 5",
        "XXR 5\n240 H   5    1\n240 Z   4    2    3\n240 F   3    4",
    );
    let mut report = Report::parse(&text).unwrap();
    let announced: Vec<_> = report
        .announced
        .iter()
        .map(|bye| (bye.player, bye.round, bye.bye))
        .collect();
    assert_eq!(
        announced,
        [
            (0, 4, Round::HalfPointBye),
            (1, 3, Round::Absent),
            (2, 3, Round::Absent)
        ]
    );
    // That of the next round is an entry of the player.
    assert_eq!(report.event.players[3].rounds[2], Round::FullPointBye);
    let written = report.to_string();
    assert_eq!(Report::parse(&written).unwrap(), report);
    for line in ["240 H   5    1", "240 Z   4    2", "240 Z   4    3"] {
        assert!(written.lines().any(|written| written == line), "{written}");
    }
    assert!(!written.contains("240 F"));
    for player in 0..2 {
        report.event.players[player].rounds[1] = Round::Absent;
        report.open.insert((player, 1));
    }
    let written = report.to_string();
    let ends = |name: &str, end: &str| {
        let line = written.lines().find(|line| line.contains(name));
        assert!(line.unwrap().ends_with(end), "{written}");
    };
    ends("Adams", "  1.0    1     3 w 1");
    ends(
        "Evans",
        "0000 - Z            0000 - Z"
            .replace("          ", "  0000 - Z")
            .as_str(),
    );
    assert_eq!(Report::parse(&written).unwrap().event, report.event);
}
