//! Articles 4 and 6: tie-breaks apply in turn, and direct encounter.

use epode_pairing::tiebreaks::{Cut, Kind, TieBreak, rank};

use super::{event, expect, ranks, round_robin, shown, swiss};

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
