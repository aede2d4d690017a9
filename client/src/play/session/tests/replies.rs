//! The content of replies: moves, analysis, draws and resignation.

use super::*;

/// Decision 56: the analysis is included if requested.
#[test]
fn replies_may_tell_the_analysis() {
    let mut seat = Seat {
        session: Session::new("Epode", DrawResignPolicy::default(), true),
        now: Instant::now(),
    };
    seat.hear(START, "refcom reset;");
    assert_eq!(
        seat.play("", "e4")[0],
        "acd 7; acn 1234; acs 2; ce 10; pv e4; refreq reply; sm e4;"
    );
}

/// Decisions 57 and 62: a reply without a legal move is only the position.
#[test]
fn mate_and_stalemate_are_answered_without_a_move() {
    for fields in [MATED, STALEMATED] {
        let mut seat = Seat::new();
        assert_eq!(seat.hear(fields, "refcom respond;"), ["abort", "think"]);
        assert_eq!(seat.think("", -32767), ["refreq reply;"]);
    }
}

/// Decisions 64 and 66: a resignation has no move.
#[test]
fn a_lost_game_is_resigned() {
    let resign = Streak {
        score: -500,
        moves: 2,
    };
    let mut seat = Seat::with(DrawResignPolicy::new(Some(resign), None, 0, 0));
    seat.hear(START, "refcom reset;");
    seat.receive("refcom respond;");
    seat.think("f3", -600);
    seat.receive("refcom respond; sm e5; draw_offer;");
    assert_eq!(seat.think("Nh3", -500), ["refreq reply; resign;"]);
    assert_eq!(seat.moves(), "f2f3 e7e5");
}

/// Decisions 67 to 69: an offer is accepted without a move, or rejected with one.
#[test]
fn offers_are_answered() {
    let offer = "refcom respond; sm e4; draw_offer;";
    let mut seat = Seat::new();
    seat.receive(offer);
    assert_eq!(seat.think("e5", 0), ["draw_accept; refreq reply;"]);
    assert_eq!(seat.moves(), "e2e4");
    let mut seat = Seat::new();
    seat.receive(offer);
    assert_eq!(
        seat.think("e5", 1),
        ["draw_reject; refreq reply; sm e5;", "ponder"]
    );
    // Decision 73: an offer stands until it is answered.
    assert_eq!(
        seat.play("sm Nf3;", "Nc6"),
        ["refreq reply; sm Nc6;", "ponder"]
    );
}

/// Decisions 68 and 71: an offer is sent with a move.
#[test]
fn draws_are_offered_with_a_move() {
    let offer = Streak {
        score: 20,
        moves: 2,
    };
    let mut seat = Seat::with(DrawResignPolicy::new(None, Some(offer), 2, 0));
    seat.hear(START, "refcom reset;");
    assert_eq!(seat.play("", "e4"), ["refreq reply; sm e4;", "ponder"]);
    assert_eq!(
        seat.play("sm e5;", "Nf3"),
        ["draw_offer; refreq reply; sm Nf3;", "ponder"]
    );
    // Decision 69: a rejected offer changes nothing.
    assert_eq!(
        seat.play("sm Nc6; draw_reject;", "Bb5"),
        ["refreq reply; sm Bb5;", "ponder"]
    );
}

/// Decision 70: an offer may be answered by an offer.
#[test]
fn a_counter_offer() {
    let offer = Streak {
        score: 20,
        moves: 1,
    };
    let mut seat = Seat::with(DrawResignPolicy::new(None, Some(offer), 0, 0));
    seat.hear(START, "refcom reset;");
    assert_eq!(
        seat.play("sm e4; draw_offer;", "e5"),
        ["draw_offer; draw_reject; refreq reply; sm e5;", "ponder"]
    );
}

/// Decision 74: a draw on the board is claimed without a move, a draw after our move with it.
#[test]
fn draws_are_claimed() {
    let there_and_back = "sv Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8;";
    let mut seat = Seat::new();
    seat.receive(&format!("refcom respond; {there_and_back}"));
    assert_eq!(seat.think("e4", 0), ["draw_claim; refreq reply;"]);
    assert_eq!(seat.session.game.moves().len(), 8);

    let mut seat = Seat::new();
    seat.receive(&format!(
        "refcom respond; {}",
        there_and_back.replace(" Ng8;", ";")
    ));
    assert_eq!(
        seat.think("Ng8", 0),
        ["draw_claim; refreq reply; sm Ng8;", "ponder"]
    );
}

/// Decision 74, each reason for a claim; the better side does not claim.
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

/// Decision 75: a rejected claim is not repeated.
#[test]
fn a_rejected_claim_is_not_repeated() {
    let fields = "4k3/8/8/8/8/8/8/R3K3 w - -";
    let mut seat = Seat::new();
    seat.hear(fields, "refcom respond; hmvc 100;");
    assert_eq!(seat.think("Ra2", 0), ["draw_claim; refreq reply;"]);
    assert_eq!(
        seat.receive("refcom respond; draw_reject;"),
        ["abort", "think"]
    );
    assert_eq!(
        seat.think("Ra2", 0),
        ["draw_claim; refreq reply; sm Ra2;", "ponder"]
    );
}

/// An engine that can say so offers, accepts and claims draws, and resigns, whatever its scores are.
#[test]
fn the_wish_of_an_engine() {
    use crate::engines::Wish;
    let answer = |seat: &mut Seat, text: &str, wish| {
        let result = SearchResult {
            wish,
            ..seat.result(text, 900)
        };
        let actions = seat.session.answer(&result, seat.now);
        actions.iter().map(seen).collect::<Vec<_>>()
    };
    let mut seat = Seat::new();
    seat.receive("refcom respond;");
    assert_eq!(
        answer(&mut seat, "e4", Wish::Draw),
        ["draw_offer; refreq reply; sm e4;", "ponder"]
    );
    seat.receive("refcom respond; sm e5; draw_offer;");
    assert!(seat.session.is_draw_offered());
    assert_eq!(
        answer(&mut seat, "", Wish::Draw),
        ["draw_accept; refreq reply;"]
    );
    let mut seat = Seat::new();
    seat.receive("refcom respond;");
    assert_eq!(
        answer(&mut seat, "", Wish::Draw),
        ["draw_claim; refreq reply;"]
    );
    seat.receive("refcom respond;");
    assert_eq!(
        answer(&mut seat, "e4", Wish::Resign),
        ["refreq reply; resign;"]
    );
}
