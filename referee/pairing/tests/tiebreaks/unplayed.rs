//! Articles 14 to 16: modifiers, and rounds without a game.

use epode_pairing::Event;
use epode_pairing::tiebreaks::Kind;

use super::{event, expect, expect_swiss, round_robin, shown, swiss};

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
