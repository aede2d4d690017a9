//! Tie-breaks: a test for each article of FIDE Handbook C.07, and laws that hold for all events.
//!
//! The Swiss event and the round robin are those of the "Exercises in Tie-Breaking" by IA Mario Held (FIDE Technical
//! Commission, 2024), with the values of its solutions. These follow the edition of 2023. Where the limits for dummies
//! that came in 2026 (16.4) change a value, a comment tells what the solution has.

mod random_events;

use epode_pairing::tiebreaks::{Cut, Kind, Place, TieBreak, Value, rank};
use epode_pairing::{Colour, Event, Outcome, Player, Round, Score, Tally};
use proptest::prelude::*;
use random_events::play_all;

/// An event from the rounds of its players: `+W9` is a win with White against player 9, `=` a draw, `-` a loss; `+F9` and
/// `-F9` are forfeits; `+BYE` is a pairing-allocated bye, `=BYE` a half-point bye, `--` an absence.
fn event(players: &[(u32, &str)]) -> Event {
    let player = |&(rating, rounds): &(u32, &str)| Player {
        rating,
        rounds: rounds.split(' ').map(round).collect(),
        ..Player::default()
    };
    let players: Vec<Player> = players.iter().map(player).collect();
    let rounds = players[0].rounds.len();
    let mut event = Event::new(rounds, Colour::White, players);
    event.paired = rounds;
    event.check().expect("an event without faults");
    event
}

fn round(text: &str) -> Round {
    let outcome = match text.as_bytes()[0] {
        b'+' => Outcome::Win,
        b'=' => Outcome::Draw,
        _ => Outcome::Loss,
    };
    let opponent = || text[2..].parse::<usize>().expect("a number") - 1;
    match &text[1..] {
        "-" => Round::Absent,
        "BYE" if outcome == Outcome::Win => Round::PairingBye,
        "BYE" => Round::HalfPointBye,
        rest if rest.starts_with('F') => Round::Forfeit {
            opponent: opponent(),
            colour: None,
            won: outcome == Outcome::Win,
        },
        rest => Round::Played {
            opponent: opponent(),
            colour: if rest.starts_with('W') {
                Colour::White
            } else {
                Colour::Black
            },
            outcome,
            rated: true,
        },
    }
}

fn swiss() -> Event {
    event(&[
        (2200, "+W9 =B13 =W2 +B15 =W4"),
        (2150, "+B10 +W7 =B1 +W16 =B3"),
        (2100, "=W11 +B6 +W8 =B4 =W2"),
        (2050, "+B12 =BYE +W13 =W3 =B1"),
        (2000, "-W13 -B15 +W11 =B7 +W10"),
        (1950, "-B14 -W3 +BYE +W10 +B8"),
        (1900, "+W15 -B2 -B16 =W5 -B11"),
        (1850, "=B16 +W14 -B3 +W13 -W6"),
        (1800, "-B1 -W10 =BYE -F11 +BYE"),
        (1750, "-W2 +B9 -W15 -B6 -B5"),
        (1700, "=B3 -W16 -B5 +F9 +W7"),
        (1650, "-W4 +BYE +F14 -- --"),
        (1600, "+B5 =W1 -B4 -B8 -W14"),
        (1550, "+W6 -B8 -F12 -- +B13"),
        (1500, "-B7 +W5 +B10 -W1 -B16"),
        (1450, "=W8 +B11 +W7 -B2 +W15"),
    ])
}

fn round_robin() -> Event {
    event(&[
        (2200, "=W5 +W2 +B3 -W4 +B6"),
        (2150, "+W6 -B1 +W5 =W3 +B4"),
        (2100, "+W4 +B6 -W1 =B2 +W5"),
        (2050, "-B3 -B5 =W6 +B1 -W2"),
        (1950, "=B1 +W4 -B2 -F6 -B3"),
        (2000, "-B2 -W3 =B4 +F5 -W1"),
    ])
}

/// The values of a tie-break by player, as they are shown.
fn shown(event: &Event, kind: Kind, tie_break: &str) -> Vec<String> {
    let mut places = rank(event, kind, &[tie_break.parse().expect("a tie-break")]);
    places.sort_by_key(|place| place.player);
    places
        .iter()
        .map(|place| place.values[0].to_string())
        .collect()
}

fn expect(event: &Event, kind: Kind, tie_break: &str, expected: &str) {
    let expected: Vec<&str> = expected.split_whitespace().collect();
    assert_eq!(shown(event, kind, tie_break), expected, "{tie_break}");
}

fn expect_swiss(tie_break: &str, expected: &str) {
    expect(&swiss(), Kind::Swiss, tie_break, expected);
}

/// The ranks by player.
fn ranks(event: &Event, kind: Kind, order: &[TieBreak]) -> Vec<usize> {
    let mut places = rank(event, kind, order);
    places.sort_by_key(|place| place.player);
    places.iter().map(|place| place.rank).collect()
}

#[test]
fn article_4_2_each_tie_break_ranks_those_still_tied() {
    let order = [
        TieBreak::Wins,
        TieBreak::Buchholz(Cut::None),
        TieBreak::BlackWins,
    ];
    let places = rank(&swiss(), Kind::Swiss, &order);
    let shown: Vec<String> = places
        .iter()
        .take(7)
        .map(|place| {
            format!(
                "{}. {} {} {} {}",
                place.rank,
                place.player + 1,
                place.points,
                place.values[0],
                place.values[1]
            )
        })
        .collect();
    let expected = [
        "1. 2 4.0 3 13.0",
        "2. 16 3.5 3 12.5",
        "3. 3 3.5 2 15.5",
        "4. 4 3.5 2 14.0",
        "5. 1 3.5 2 12.5",
        "6. 6 3.0 3 11.5",
        "7. 8 2.5 2 13.5",
    ];
    assert_eq!(shown, expected);
    // Players 12, 14 and 15 have 2 points; without tie-breaks, they share a rank.
    let ranks = ranks(&swiss(), Kind::Swiss, &[]);
    assert_eq!(
        [ranks[11], ranks[13], ranks[14], ranks[6]],
        [10, 10, 10, 13]
    );
}

#[test]
fn article_6_2_all_have_met() {
    // 1, 2 and 3 have 3.5 points, 4, 5 and 6 have 1.5. The forfeit of 5 against 6 counts in a round robin.
    let order = [TieBreak::DirectEncounter];
    assert_eq!(
        ranks(&round_robin(), Kind::RoundRobin, &order),
        [1, 2, 2, 6, 5, 4]
    );
    expect(&round_robin(), Kind::RoundRobin, "DE", "1 2 2 3 2 1");
}

#[test]
fn article_6_1_1_forfeits_do_not_count_in_a_swiss_event() {
    // As in the first test of article 6.3, but 1 beat 2 by forfeit.
    let event = event(&[
        (0, "+F2 +W3 +W4 -- --"),
        (0, "-F1 +W4 +W3 +BYE --"),
        (0, "+BYE -B1 -B2 +BYE +BYE"),
        (0, "+BYE -B2 -B1 +BYE +BYE"),
    ]);
    expect(&event, Kind::Swiss, "DE", "- - - -");
}

#[test]
fn article_6_1_2_several_meetings_count_by_their_average() {
    // 1 beat 2 twice, 2 beat 3, 3 beat 1.
    let event = event(&[
        (0, "+W2 +B2 -B3 --"),
        (0, "-B1 -W1 +BYE +W3"),
        (0, "+BYE -- +W1 -B2"),
    ]);
    expect(&event, Kind::Swiss, "DE", "- - -");
}

#[test]
fn article_6_2_applies_again_to_those_still_tied() {
    // Among the four with 2 points, 1 and 2 have 2 points, 3 and 4 have 1. 2 beat 1, and 3 beat 4.
    let event = event(&[
        (0, "+W3 +W4 -B2 --"),
        (0, "-W4 +W3 +W1 --"),
        (0, "-B1 -B2 +W4 +BYE"),
        (0, "+B2 -B1 -B3 +BYE"),
    ]);
    expect(&event, Kind::Swiss, "DE", "2 1 3 4");
}

#[test]
fn article_6_3_the_first_who_stay_ahead_whatever_the_missing_games_bring() {
    // Of the four with 3 points, 1 beat all, and 2 beat 3 and 4, who have not met.
    let swiss = event(&[
        (0, "+W2 +W3 +W4 -- --"),
        (0, "-B1 +W4 +W3 +BYE --"),
        (0, "+BYE -B1 -B2 +BYE +BYE"),
        (0, "+BYE -B2 -B1 +BYE +BYE"),
    ]);
    expect(&swiss, Kind::Swiss, "DE", "1 2 3 3");
    // In a round robin, all must have met (6.2).
    expect(&swiss, Kind::RoundRobin, "DE", "- - - -");
}

#[test]
fn article_6_3_in_a_swiss_event_nobody_is_sure_to_be_ahead() {
    // 1, 3, 4 and 16 with 3.5 points and 5, 8 and 11 with 2.5 have not all met.
    let ranks = ranks(&swiss(), Kind::Swiss, &[TieBreak::DirectEncounter]);
    assert_eq!([ranks[0], ranks[2], ranks[3], ranks[15]], [2; 4]);
    assert_eq!([ranks[4], ranks[7], ranks[10]], [7; 3]);
    assert_eq!(shown(&swiss(), Kind::Swiss, "DE"), ["-"; 16]);
}

#[test]
fn article_7_1_wins() {
    expect_swiss("WIN", "2 3 2 2 2 3 1 2 1 1 2 2 1 2 2 3");
}

#[test]
fn article_7_2_games_won() {
    expect_swiss("WON", "2 3 2 2 2 2 1 2 0 1 1 0 1 2 2 3");
}

#[test]
fn article_7_3_games_with_black() {
    expect_swiss("BPG", "2 3 2 2 2 2 3 2 1 3 2 0 3 2 3 2");
}

#[test]
fn article_7_4_games_won_with_black() {
    expect_swiss("BWG", "1 1 1 1 0 1 0 0 0 1 0 0 1 1 1 1");
}

#[test]
fn article_7_5_progressive() {
    expect_swiss(
        "PS",
        "11.0 13.0 11.0 11.5 5.0 6.0 6.0 8.5 2.5 4.0 5.5 7.0 7.0 6.0 7.0 10.5",
    );
}

#[test]
fn article_7_6_rounds_elected() {
    expect_swiss("REP", "5 5 5 4 5 5 5 5 3 5 5 3 5 3 5 5");
}

#[test]
fn article_7_7_standard_points() {
    // With the usual points, they are the same as the score.
    let mut event = swiss();
    let scores: Vec<String> = (0..16)
        .map(|player| event.score(player, 5).to_string())
        .collect();
    assert_eq!(shown(&event, Kind::Swiss, "STD"), scores);
    // They do not depend on the points of a win.
    event.points.win = Score::tenths(30);
    event.points.draw = Score::tenths(10);
    event.points.pairing_bye = Score::tenths(30);
    assert_eq!(shown(&event, Kind::Swiss, "STD"), scores);
}

#[test]
fn article_7_8_pairing_number() {
    expect_swiss("TPN", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16");
    let ranks = ranks(&swiss(), Kind::Swiss, &[TieBreak::PairingNumber]);
    assert_eq!(
        ranks,
        [2, 1, 3, 4, 7, 6, 13, 8, 14, 16, 9, 10, 15, 11, 12, 5]
    );
}

#[test]
fn article_8_1_buchholz() {
    // Solution: 15.0 for 4, 12.0 for 6, 13.5 for 11.
    expect_swiss(
        "BH",
        "12.5 13.0 15.5 14.0 8.5 11.5 14.5 13.5 9.0 13.0 12.5 11.5 14.0 11.0 12.0 12.5",
    );
}

#[test]
fn article_8_2_average_buchholz_of_opponents() {
    // The averages of the values above.
    expect_swiss(
        "AOB",
        "12.40 13.60 12.90 13.38 13.20 13.25 11.70 12.90 12.75 10.80 12.75 14.00 11.90 13.00 12.20 13.10",
    );
}

#[test]
fn article_8_3_fore_buchholz() {
    // Solution: 15.5 for 4, 12.5 for 11, 11.5 for 12.
    expect_swiss(
        "FB",
        "13.5 13.5 15.0 14.5 10.0 12.0 13.5 12.5 9.5 12.5 12.0 11.0 13.5 10.5 12.0 13.5",
    );
    // Before the last round, it is the Buchholz.
    let mut event = swiss();
    event.rounds = 6;
    assert_eq!(
        shown(&event, Kind::Swiss, "FB"),
        shown(&event, Kind::Swiss, "BH")
    );
}

#[test]
fn article_9_1_sonneborn_berger() {
    // Solution: 9.75 for 4, 6.50 for 6, 5.75 for 11.
    expect_swiss(
        "SB",
        "8.00 9.50 10.50 9.25 4.25 6.00 3.25 5.25 2.25 1.50 4.75 4.00 4.25 4.50 3.50 7.25",
    );
    expect(
        &round_robin(),
        Kind::RoundRobin,
        "SB",
        "9.25 6.25 6.25 4.25 3.25 2.25",
    );
}

#[test]
fn article_9_2_koya() {
    expect(
        &round_robin(),
        Kind::RoundRobin,
        "KS",
        "2.0 0.5 0.5 1.0 0.5 0.0",
    );
}

#[test]
fn article_10_1_average_rating_of_opponents() {
    expect_swiss(
        "ARO",
        "1820 1880 1940 1888 1690 1813 1760 1730 1975 1880 1863 2050 1930 1800 1860 1820",
    );
    // Of his only opponent, nothing is left for player 12.
    expect_swiss(
        "ARO-C1",
        "1900 1988 2000 1983 1738 1900 1838 1800 2200 1975 2000 - 2025 1900 1963 1900",
    );
    // Ratings do not apply where a player has none.
    let mut event = swiss();
    event.players[15].rating = 0;
    for tie_break in ["ARO", "TPR", "PTP", "APRO", "APPO", "RTNG"] {
        assert_eq!(shown(&event, Kind::Swiss, tie_break), ["-"; 16]);
    }
}

#[test]
fn article_10_2_performance() {
    expect_swiss(
        "TPR",
        "1969 2120 2089 2081 1690 1813 1611 1730 1175 1640 1776 1250 1781 1925 1788 1969",
    );
    // Forfeits do not count in a round robin either (15.2).
    expect(
        &round_robin(),
        Kind::RoundRobin,
        "TPR",
        "2199 2209 2219 1931 2038 1803",
    );
}

#[test]
fn article_10_3_perfect_performance() {
    // The solution gives the value of player 3.
    expect_swiss(
        "PTP",
        "2029 2216 2112 2168 1689 1810 1531 1715 950 1575 1763 1250 1744 1942 1768 2013",
    );
}

#[test]
fn article_10_4_average_performance_of_opponents() {
    // The solution gives the values of players 1, 3, 4 and 16.
    expect_swiss(
        "APRO",
        "1789 1856 1904 1772 1719 1846 1869 1915 1805 1717 1840 2081 1879 1775 1776 1805",
    );
}

#[test]
fn article_10_5_average_perfect_performance_of_opponents() {
    expect_swiss(
        "APPO",
        "1769 1852 1934 1784 1676 1836 1890 1924 1802 1687 1836 2168 1909 1756 1767 1799",
    );
}

#[test]
fn article_10_6_rating() {
    expect_swiss(
        "RTNG",
        "2200 2150 2100 2050 2000 1950 1900 1850 1800 1750 1700 1650 1600 1550 1500 1450",
    );
}

#[test]
fn article_14_1_cut_1() {
    // Solution: 11.0 for 6, 12.0 for 11.
    expect_swiss(
        "BH-C1",
        "11.0 12.0 13.0 11.5 7.5 10.5 12.5 12.0 7.5 11.5 11.0 9.5 12.0 9.0 11.0 11.0",
    );
    // Solution: 8.00 for 4, 5.50 for 6, 4.25 for 11.
    expect_swiss(
        "SB-C1",
        "7.25 8.50 9.25 7.75 3.25 5.00 1.25 3.75 2.25 0.00 3.25 4.00 4.25 3.00 2.50 5.75",
    );
    expect_swiss(
        "PS-C1",
        "10.0 12.0 10.5 10.5 5.0 6.0 5.0 8.0 2.5 4.0 5.0 7.0 6.0 5.0 7.0 10.0",
    );
    expect(
        &round_robin(),
        Kind::RoundRobin,
        "SB-C1",
        "9.25 4.75 4.75 4.25 3.25 1.50",
    );
}

#[test]
fn article_14_3_median_1() {
    // By hand: the opponents of 2 have 1.0, 1.5, 3.5, 3.5 and 3.5 points; those of 4 have 3.0 (with two draws for the
    // rounds after the withdrawal), 1.5, 3.5 and 3.5, and the dummy of the half-point bye, which is cut first, 2.5.
    let medians = shown(&swiss(), Kind::Swiss, "BH-M1");
    assert_eq!([medians[1].as_str(), medians[3].as_str()], ["8.5", "8.0"]);
    // More is cut than there is.
    assert_eq!(shown(&swiss(), Kind::Swiss, "BH-M3"), ["0.0"; 16]);
}

#[test]
fn article_14_5_limit() {
    // Three players have 3.5 of 5 points, three have 1.5. A limit of 4 is too much for all, one of 1.5 for nobody.
    let robin = round_robin();
    expect(&robin, Kind::RoundRobin, "KS-L2", "2.0 0.5 0.5 1.0 0.5 0.0");
    expect(
        &robin,
        Kind::RoundRobin,
        "KS/L+3",
        "0.0 0.0 0.0 0.0 0.0 0.0",
    );
    expect(
        &robin,
        Kind::RoundRobin,
        "KS/L-2",
        "3.5 3.5 3.5 1.5 1.5 1.5",
    );
}

#[test]
fn article_15_2_forfeits_are_games_in_a_round_robin() {
    // Franck (5) did not play against Helene (6): each is the other's opponent with 1.5 points.
    expect(
        &round_robin(),
        Kind::RoundRobin,
        "BH",
        "11.5 11.5 11.5 13.5 13.5 13.5",
    );
    expect(&round_robin(), Kind::RoundRobin, "WON", "3 3 3 1 1 0");
    expect(&round_robin(), Kind::RoundRobin, "WIN", "3 3 3 1 1 1");
    expect(&round_robin(), Kind::RoundRobin, "REP", "5 5 5 5 4 5");
    // A round without an opponent, in a round robin of three players, counts for nothing.
    let three = event(&[(0, "+W2 -- =B3"), (0, "-B1 +W3 --"), (0, "-- -B2 =W1")]);
    expect(&three, Kind::RoundRobin, "BH", "1.5 2.0 2.5");
    expect(&three, Kind::RoundRobin, "SB", "1.25 0.50 0.75");
    // Two opponents each: half of the possible points is one.
    expect(&three, Kind::RoundRobin, "KS", "1.0 0.0 0.5");
}

/// Player 2 has a half-point bye, and loses the third round against 1, by forfeit or over the board.
fn with_absences(forfeit: bool) -> Event {
    let [won, lost] = if forfeit {
        ["+F2", "-F1"]
    } else {
        ["+W2", "-B1"]
    };
    event(&[
        (2400, &format!("+W4 +B3 {won} +B5")),
        (2300, &format!("+W5 =BYE {lost} +W4")),
        (2200, "+BYE -W1 +W5 --"),
        (2100, "-B1 =B5 +BYE -B2"),
        (2000, "-B2 =W4 -B3 -W1"),
    ])
}

#[test]
fn article_16_3_adjusted_scores() {
    // 3 is absent from the last round, which counts as a draw: for 1, this is 1.5 of 4, 2.5 of 3, 2.5 of 2, 0.5 of 5.
    assert_eq!(shown(&with_absences(false), Kind::Swiss, "BH")[0], "7.0");
    // The absence of 1 in the first round does not: 1 came back.
    let late = event(&[(0, "-- +W2"), (0, "+BYE -B1")]);
    expect(&late, Kind::Swiss, "BH", "2.0 2.0");
}

#[test]
fn article_16_4_dummies() {
    let event = with_absences(true);
    // 2 has 2.5 points. The dummy of the bye has 2 (a draw in each of four rounds), that of the forfeit 2.5 (at most the
    // 4 of player 1). 1 has 4 points, but the dummy for the forfeit has at most the 2.5 of player 2.
    let values = shown(&event, Kind::Swiss, "BH");
    assert_eq!([values[1].as_str(), values[0].as_str()], ["6.5", "7.0"]);
    assert_eq!(shown(&event, Kind::Swiss, "SB")[1], "3.00");
}

#[test]
fn article_16_5_cuts() {
    // The rounds of 2 add 0.5, 1.0 (bye), 0.0 (forfeit) and 1.5. The least significant one is the first; the lowest of
    // the missed rounds is lower, so that the first is cut, and then, the same way, the last.
    let event = with_absences(true);
    for (tie_break, expected) in [("SB", "3.00"), ("SB-C1", "2.50"), ("SB-C2", "1.00")] {
        assert_eq!(shown(&event, Kind::Swiss, tie_break)[1], expected);
    }
    // With one missed round, that is cut, and then the first.
    let event = with_absences(false);
    for (tie_break, expected) in [("SB", "3.00"), ("SB-C1", "2.00"), ("SB-C2", "1.50")] {
        assert_eq!(shown(&event, Kind::Swiss, tie_break)[1], expected);
    }
}

#[test]
fn names_are_read_and_shown() {
    for (text, shown) in [
        ("DE", "DE"),
        ("bh", "BH"),
        ("BH-C1", "BH-C1"),
        ("bh/c2", "BH-C2"),
        ("Buchholz-Cut-1", "BH-C1"),
        ("buchholz_cut_1", "BH-C1"),
        ("buchholz-median-1", "BH-M1"),
        ("sonneborn-berger", "SB"),
        ("Sonneborn-Berger Cut 1", "SB-C1"),
        ("direct-encounter", "DE"),
        ("wins", "WIN"),
        ("games-won", "WON"),
        ("black-games", "BPG"),
        ("black-wins", "BWG"),
        ("progressive", "PS"),
        ("PS-C1", "PS-C1"),
        ("AOB/F", "AOB-F"),
        ("KS/L+2", "KS-L2"),
        ("ks-l-1", "KS-L-1"),
        ("KS-L0", "KS"),
        (" ARO-M1 ", "ARO-M1"),
        ("average-rating", "ARO"),
        ("average-performance", "APRO"),
        ("average-perfect-performance", "APPO"),
        ("Rating", "RTNG"),
    ] {
        let tie_break: TieBreak = text.parse().expect(text);
        assert_eq!(tie_break.to_string(), shown);
        assert_eq!(shown.parse(), Ok(tie_break));
    }
    let message = |text: &str| text.parse::<TieBreak>().unwrap_err().to_string();
    assert_eq!(
        message("BH-X1"),
        "found the tie-break \"BH-X1\", but BH takes C1 to C9 (cut) or M1 to M9 (median)"
    );
    assert_eq!(
        message("win-c1"),
        "found the tie-break \"win-c1\", but WIN takes no modifier"
    );
    let unknown = message("Bucholz");
    assert!(
        unknown.starts_with(
            "found the tie-break \"Bucholz\", expected one of: DE (direct-encounter), WIN (wins), "
        ) && unknown.contains("SB (sonneborn-berger)")
            && unknown.contains("BH-C1"),
        "{unknown}"
    );
}

/// 500 players and 11 rounds: the first is paired with the last, and so on around a circle.
fn large_event() -> Event {
    let count = 500;
    let mut event = Event::new(11, Colour::White, Vec::new());
    event.players = (0..count)
        .map(|number| Player {
            rating: 3000 - number,
            ..Player::default()
        })
        .collect();
    for round in 0..11_usize {
        let seat = |place: usize| match place {
            0 => 0,
            place => 1 + (place - 1 + round) % 499,
        };
        for board in 0..250 {
            let (white, black) = (seat(board), seat(499 - board));
            let outcome = match (white * 31 + black * 17 + round * 13) % 7 {
                0..3 => Outcome::Win,
                3 => Outcome::Loss,
                _ => Outcome::Draw,
            };
            for (player, opponent, colour, outcome) in [
                (white, black, Colour::White, outcome),
                (black, white, Colour::Black, outcome.reversed()),
            ] {
                event.players[player].rounds.push(Round::Played {
                    opponent,
                    colour,
                    outcome,
                    rated: true,
                });
            }
        }
        event.paired += 1;
    }
    event.check().unwrap();
    event
}

/// `cargo test -p epode-pairing --test tiebreaks -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn five_hundred_players() {
    let event = large_event();
    for names in [
        "BH-C1 BH SB",
        "DE BH SB",
        "BH-C1 BH BH-M1 FB AOB SB SB-C1 KS DE WIN BPG PS REP STD ARO TPR",
    ] {
        let order: Vec<TieBreak> = names.split(' ').map(|name| name.parse().unwrap()).collect();
        let start = std::time::Instant::now();
        let places = rank(&event, Kind::Swiss, &order);
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        println!("{names}: {milliseconds:.2} ms, first {:?}", places[0]);
        assert!(milliseconds < 50.0, "{names}: {milliseconds} ms");
    }
}

/// All tie-breaks but those by the numbers of the players.
fn all() -> Vec<TieBreak> {
    "BH-C1 BH BH-M1 FB AOB AOB-F SB SB-C1 KS DE WIN WON BPG BWG PS PS-C1 REP STD ARO TPR PTP APRO APPO RTNG"
        .split(' ')
        .map(|name| name.parse().unwrap())
        .collect()
}

/// The event with other indices: the player `order[i]` becomes the player `i`.
fn relabelled(event: &Event, order: &[usize]) -> Event {
    let mut new_index = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        new_index[old] = new;
    }
    let mut other = event.clone();
    other.players = order
        .iter()
        .map(|&old| event.players[old].clone())
        .collect();
    for round in other
        .players
        .iter_mut()
        .flat_map(|player| &mut player.rounds)
    {
        match round {
            Round::Played { opponent, .. }
            | Round::Match { opponent, .. }
            | Round::Forfeit { opponent, .. } => *opponent = new_index[*opponent],
            _ => {}
        }
    }
    other
}

/// The same event with meetings of two games that end 2-0, 1-1 or 0-2.
fn doubled(event: &Event) -> Event {
    let mut double = event.clone();
    double.games = 2;
    for round in double
        .players
        .iter_mut()
        .flat_map(|player| &mut player.rounds)
    {
        if let Round::Played {
            opponent,
            colour,
            outcome,
            ..
        } = *round
        {
            let mut tally = Tally::default();
            match outcome {
                Outcome::Win => tally.wins = 1,
                Outcome::Draw => tally.draws = 1,
                Outcome::Loss => tally.losses = 1,
            }
            *round = Round::Match {
                opponent,
                colour,
                white: tally,
                black: tally,
            };
        }
    }
    double.check().unwrap();
    double
}

fn value_of(places: &[Place], player: usize, index: usize) -> Value {
    places
        .iter()
        .find(|place| place.player == player)
        .expect("a place")
        .values[index]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn other_labels_give_the_same_places(seed: u64, robin: bool, random in any::<prop::sample::Index>()) {
        let (event, _) = play_all(seed);
        let count = event.players.len();
        // A rotation, and the first half reversed.
        let start = random.index(count);
        let mut order: Vec<usize> = (0..count).map(|place| (start + place) % count).collect();
        order[..count / 2].reverse();
        let kind = if robin { Kind::RoundRobin } else { Kind::Swiss };
        let places = |event: &Event, back: &dyn Fn(usize) -> usize| {
            let mut places = rank(event, kind, &all());
            for place in &mut places {
                place.player = back(place.player);
            }
            places.sort_by_key(|place| place.player);
            places
        };
        let other = relabelled(&event, &order);
        prop_assert_eq!(places(&event, &|player| player), places(&other, &|player| order[player]));
    }

    /// Each score counts once for each opponent over the board; dummies are the rest.
    #[test]
    fn the_sum_of_all_buchholz_scores(seed: u64) {
        let (mut event, _) = play_all(seed);
        let paired = event.paired;
        // Nobody missed a round.
        let keep = |player: &Player| player.rounds.iter().take(paired).all(Round::was_played);
        prop_assume!(event.players.iter().any(keep));
        for player in &mut event.players {
            player.rounds.truncate(paired);
        }
        let tenths = |value: Value| match value {
            Value::Points(points) => points.tenths,
            _ => panic!("not points"),
        };
        // In a round robin there are no dummies, and scores are not adjusted.
        let places = rank(&event, Kind::RoundRobin, &[TieBreak::Buchholz(Cut::None)]);
        let sum: u32 = places.iter().map(|place| tenths(place.values[0])).sum();
        let expected: u32 = (0..event.players.len())
            .map(|player| {
                let rounds = event.players[player].rounds.iter();
                let opponents = rounds.filter(|round| round.opponent().is_some()).count();
                event.score(player, paired).tenths * opponents as u32
            })
            .sum();
        prop_assert_eq!(sum, expected);
        for player in (0..event.players.len()).filter(|&player| keep(&event.players[player])) {
            let by_kind = |kind| value_of(&rank(&event, kind, &[TieBreak::Buchholz(Cut::None)]), player, 0);
            // Those without a missed round differ by the draws that their opponents' last absences count as.
            prop_assert!(tenths(by_kind(Kind::Swiss)) >= tenths(by_kind(Kind::RoundRobin)));
        }
    }

    /// A tie-break orders only those whom points and earlier tie-breaks leave tied.
    #[test]
    fn later_tie_breaks_only_refine(seed: u64) {
        let (event, _) = play_all(seed);
        let order = all();
        let mut before = ranks(&event, Kind::Swiss, &[]);
        for length in 1..=order.len() {
            let after = ranks(&event, Kind::Swiss, &order[..length]);
            for one in 0..before.len() {
                for two in 0..before.len() {
                    prop_assert!(before[one] >= before[two] || after[one] < after[two]);
                }
            }
            before = after;
        }
    }

    #[test]
    fn a_meeting_of_two_games_counts_like_a_game(seed: u64) {
        let (event, _) = play_all(seed);
        let double = doubled(&event);
        // Each of the two games has its colour.
        let by_colour = [TieBreak::BlackGames, TieBreak::BlackWins];
        let order: Vec<TieBreak> = all().into_iter().filter(|tie_break| !by_colour.contains(tie_break)).collect();
        prop_assert_eq!(ranks(&event, Kind::Swiss, &order), ranks(&double, Kind::Swiss, &order));
        let [single, double] = [&event, &double].map(|event| rank(event, Kind::Swiss, &order));
        for (one, two) in single.iter().zip(&double) {
            prop_assert_eq!(2 * one.points.tenths, two.points.tenths);
            for ((tie_break, one), two) in order.iter().zip(&one.values).zip(&two.values) {
                let factor = match tie_break {
                    TieBreak::SonnebornBerger(_) => 4.0,
                    TieBreak::Wins | TieBreak::GamesWon | TieBreak::Progressive(_) | TieBreak::Koya { .. }
                        | TieBreak::Buchholz(_) | TieBreak::ForeBuchholz(_)
                        | TieBreak::AverageBuchholz | TieBreak::AverageForeBuchholz => 2.0,
                    _ => 1.0,
                };
                prop_assert_eq!(one.number().is_some(), two.number().is_some());
                let [one, two] = [one, two].map(|value| value.number().unwrap_or(0.0));
                // Averages are rounded after doubling.
                prop_assert!((factor * one - two).abs() < 0.011, "{}: {} {}", tie_break, one, two);
            }
        }
    }
}
