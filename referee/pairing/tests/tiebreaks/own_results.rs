//! Article 7: tie-breaks from a player's own results.

use epode_pairing::Score;
use epode_pairing::tiebreaks::{Kind, TieBreak};

use super::{expect_swiss, ranks, shown, swiss};

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
