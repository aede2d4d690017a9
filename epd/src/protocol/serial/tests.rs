use proptest::prelude::*;

use super::*;

const SIGN_ON: &str = "8/8/8/8/8/k7/8/K7 w - - refreq sign_on;\n";

/// Everything that both ends transmit arrives whole until neither has anything to say.
fn settle(player: &mut End, referee: &mut End) -> [Vec<String>; 2] {
    settle_over(player, referee, String::into_bytes)
}

/// The same over a line that does something to each line; returns what the referee and the player
/// received.
fn settle_over(
    player: &mut End,
    referee: &mut End,
    mut line: impl FnMut(String) -> Vec<u8>,
) -> [Vec<String>; 2] {
    let mut received = [Vec::new(), Vec::new()];
    for _ in 0..10_000 {
        let mut is_silent = true;
        while let Some(text) = player.transmit() {
            is_silent = false;
            referee.push(&line(text));
        }
        if let Some(text) = referee.transmit() {
            is_silent = false;
            player.push(&line(text));
        }
        received[0].extend(std::iter::from_fn(|| referee.receive()));
        received[1].extend(std::iter::from_fn(|| player.receive()));
        if is_silent {
            if !player.waits() && !referee.waits() {
                return received;
            }
            player.idle();
            referee.idle();
        }
    }
    panic!("no end");
}

fn command(number: usize) -> String {
    format!("8/8/8/8/8/k7/8/K7 w - - c0 \"{number}\"; refcom inform;\n")
}

#[test]
fn lines_arrive_without_their_checks() {
    let (mut player, mut referee) = (End::player(7), End::referee());
    player.send(SIGN_ON);
    assert_eq!(
        settle(&mut player, &mut referee),
        [vec![SIGN_ON.to_owned()], vec![]]
    );
    for number in 0..3 {
        referee.send(&command(number));
    }
    let expected = [vec![], (0..3).map(command).collect()];
    assert_eq!(settle(&mut player, &mut referee), expected);
    assert_eq!(referee.sent.len(), 3, "not acknowledged yet");
    player.send(&command(9));
    settle(&mut player, &mut referee);
    assert_eq!(
        (referee.sent.len(), player.damaged(), referee.damaged()),
        (0, 0, 0)
    );
}

/// Ends that know nothing of checks are understood, on both sides.
#[test]
fn ends_without_checks() {
    let mut player = End::player(7);
    player.send(SIGN_ON);
    assert!(player.transmit().expect("a line").contains("Chk 7 1 1 "));
    let reset = "8/8/8/8/8/k7/8/K7 w - - refcom reset;\n";
    player.push(reset.as_bytes());
    assert_eq!(player.receive().as_deref(), Some(reset));
    let mut referee = End::referee();
    let named = "8/8/8/8/8/k7/8/K7 w - - refreq sign_on; tcsi \"\" \"Ann of the four words\";\n";
    referee.push(named.as_bytes());
    assert_eq!(referee.receive().as_deref(), Some(named));
    referee.send(reset);
    assert_eq!(referee.transmit().as_deref(), Some(reset));
    assert_eq!(referee.transmit(), None);
    for command in [
        "refcom disconnect;",
        "refcom execute; sm Bd5;",
        "refcom inform; wc 300;",
    ] {
        let line = format!("8/8/8/8/8/k7/8/K7 w - - {command}\n");
        player.push(line.as_bytes());
        assert_eq!(player.receive(), Some(line));
    }
}

/// A player that is started again begins a new session; so does one whose referee is.
#[test]
fn either_end_may_be_started_again() {
    let (mut player, mut referee) = (End::player(7), End::referee());
    player.send(SIGN_ON);
    settle(&mut player, &mut referee);
    referee.send(&command(1));
    settle(&mut player, &mut referee);
    let mut player = End::player(8);
    player.send(SIGN_ON);
    assert_eq!(settle(&mut player, &mut referee)[0], [SIGN_ON]);
    referee.send(&command(2));
    assert_eq!(settle(&mut player, &mut referee)[1], [command(2)]);
    let mut referee = End::referee();
    referee.ask_to_sign_on();
    assert_eq!(settle(&mut player, &mut referee)[0], [SIGN_ON]);
    referee.send(&command(3));
    assert_eq!(settle(&mut player, &mut referee)[1], [command(3)]);
    // A referee that is started again and hears a reply asks too.
    let mut referee = End::referee();
    player.send(&command(4));
    assert_eq!(settle(&mut player, &mut referee)[0], [SIGN_ON]);
}

/// First lines whose checks have lost blanks or a semicolon, or whose semicolon has been doubled.
#[test]
fn a_check_that_is_damaged_twice_is_seen() {
    let mut player = End::player(7);
    player.send(SIGN_ON);
    let line = player.transmit().expect("the first line");
    for (from, to) in [
        ("; Chk ", ";Chk "),
        ("Chk 7 ", "Chk7"),
        ("; Chk 7 ", "Chk7 "),
        (" Chk 7 1 1 ", "Chk711"),
    ] {
        for end in [";;\n", ";\n", "\n", ";\u{b}\n"] {
            let damaged = line.replace(from, to).replace(";\n", end);
            let mut referee = End::referee();
            referee.push(damaged.as_bytes());
            assert_eq!(
                (referee.receive(), referee.damaged()),
                (None, 1),
                "{damaged}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever single characters are dropped, doubled or changed, all lines arrive once, in their order.
    #[test]
    fn nothing_is_lost_or_doubled(
        faults in proptest::collection::vec((0..400_usize, 0..3_u8), 0..60),
        lines in 1..20_usize,
    ) {
        let (mut player, mut referee) = (End::player(7), End::referee());
        let mut faults = faults.into_iter();
        let (mut skip, mut action) = faults.next().unwrap_or((usize::MAX, 0));
        let mut noise = |text: String| {
            let mut bytes = Vec::new();
            for byte in text.bytes() {
                if skip > 0 {
                    skip -= 1;
                    bytes.push(byte);
                    continue;
                }
                match action {
                    0 => {}
                    1 => bytes.extend([byte, byte]),
                    _ => bytes.push(byte ^ 1),
                }
                (skip, action) = faults.next().unwrap_or((usize::MAX, 0));
            }
            bytes
        };
        player.send(SIGN_ON);
        let [signed_on, _] = settle_over(&mut player, &mut referee, &mut noise);
        prop_assert!(signed_on.iter().all(|line| line == SIGN_ON) && !signed_on.is_empty());
        for number in 0..lines {
            referee.send(&command(number));
        }
        let [_, received] = settle_over(&mut player, &mut referee, &mut noise);
        prop_assert_eq!(received, (0..lines).map(command).collect::<Vec<_>>());
        for number in 0..lines {
            player.send(&command(number));
            let [received, _] = settle_over(&mut player, &mut referee, &mut noise);
            prop_assert_eq!(received, vec![command(number)]);
        }
    }
}
