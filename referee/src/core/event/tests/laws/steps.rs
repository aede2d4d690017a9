//! What happens in a random event: what players do, how time goes, what the arbiter orders.

use std::time::Duration;

use proptest::prelude::*;

use crate::core::event::tests::world::World;

/// The names of the players.
pub(super) const NAMES: [&str; 4] = ["Ann", "Bob", "Cid", "Dee"];

/// Something that happens.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Enter(usize),
    Cut(usize),
    Exit(usize),
    Play(usize, usize),
    Resign(usize),
    OutOfTurn(usize),
    Junk(usize),
    Illegal(usize),
    Fault(usize),
    Write,
    HoldBack(bool),
    Wait(u64),
    WaitUntilDue,
    Order(&'static str, usize, usize, bool),
}

/// Orders, in which `G` stands for the number of a game, `N` for the name of a player, and `P` for a
/// number of half-moves. Those that end many games or change who plays are rarer.
const ORDERS: [&str; 27] = [
    "abort G",
    "reset G",
    "reset G",
    "replay G",
    "replay G",
    "pause",
    "resume",
    "resume",
    "adjudicate G 1/2",
    "adjudicate G 1-0",
    "pause G",
    "pause G",
    "resume G",
    "resume G",
    "extend G white 5s",
    "extend G black 1500ms",
    "extend G white 1ms",
    "takeback G P",
    "takeback G P",
    "takeback G P",
    "forfeit N G",
    "forfeit N",
    "readmit N",
    "restart N",
    "replace N New-N",
    "replace N 'The other N' --command 'y --name {name}'",
    "message it's \"late\", N",
];

pub(super) fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..8_usize).prop_map(Step::Enter),
        1 => any::<usize>().prop_map(Step::Cut),
        1 => any::<usize>().prop_map(Step::Exit),
        20 => any::<(usize, usize)>().prop_map(|(who, choice)| Step::Play(who, choice)),
        2 => any::<usize>().prop_map(Step::Resign),
        2 => any::<usize>().prop_map(Step::OutOfTurn),
        1 => any::<usize>().prop_map(Step::Junk),
        1 => any::<usize>().prop_map(Step::Illegal),
        1 => any::<usize>().prop_map(Step::Fault),
        4 => Just(Step::Write),
        1 => any::<bool>().prop_map(Step::HoldBack),
        4 => (0..3_000_000_u64).prop_map(Step::Wait),
        3 => Just(Step::WaitUntilDue),
        4 => (proptest::sample::select(&ORDERS[..]), any::<(usize, usize, bool)>())
            .prop_map(|(order, (one, other, is_any))| Step::Order(order, one, other, is_any)),
        1 => any::<usize>().prop_map(|n| Step::Order("kick N", n, 0, false)),
    ]
}

/// What a player says that it runs on, if it does.
fn runs_on(n: usize) -> &'static str {
    match n {
        0..4 => "",
        4 => "Machine \"abacus, 1 thread\";",
        5 => "Speed 500000;",
        _ => "Machine \"a <fast> 'one'\"; Speed 3000000;",
    }
}

pub(super) fn take(world: &mut World, step: &Step) {
    let links: Vec<_> = world.peers.keys().copied().collect();
    let link = |n: usize| (!links.is_empty()).then(|| links[n % links.len()]);
    let asked = world.asked();
    let asked = |n: usize| (!asked.is_empty()).then(|| asked[n % asked.len()]);
    match step {
        Step::Enter(n) if n % 4 == 0 && has_a_transport(world) => world.enter_by_transport(),
        Step::Enter(n) => {
            let name = world.event.ledger().names()[n % 4].clone();
            let link = world.open();
            world.sign_on(link, &name, runs_on(*n));
        }
        Step::Cut(n) => {
            if let Some(link) = link(*n) {
                world.cut(link);
            }
        }
        Step::Exit(n) => {
            if !world.running.is_empty() {
                let seat = world.running[n % world.running.len()];
                world.exit(seat);
            }
        }
        Step::Play(n, choice) => {
            if let Some(link) = asked(*n) {
                world.play(link, *choice);
            }
        }
        Step::Resign(n) => {
            if let Some(link) = asked(*n) {
                world.reply(link, "resign;");
            }
        }
        Step::OutOfTurn(n) => {
            if let Some(link) = link(*n)
                && let Some(board) = &world.peers[&link].board
                && !world.peers[&link].is_asked
            {
                let position = *board.position();
                world.request(link, &position, "refreq reply; resign;");
            }
        }
        Step::Junk(n) => {
            if let Some(link) = link(*n) {
                world.line(link, "junk");
            }
        }
        Step::Illegal(n) => {
            if let Some(link) = asked(*n) {
                world.reply(link, "sm Ke5;");
            }
        }
        Step::Fault(n) => {
            if let Some(link) = link(*n) {
                world.request(
                    link,
                    &movegen::Position::start(),
                    "refreq fault; c0 \"broken\";",
                );
            }
        }
        Step::Write => {
            if let Some(sent) = world.held.pop_front() {
                world.feed(sent);
            }
        }
        Step::HoldBack(hold) => world.holds_back = *hold,
        Step::Wait(microseconds) => world.wait(Duration::from_micros(*microseconds)),
        Step::WaitUntilDue => {
            world.wait_until_due();
        }
        Step::Order(order, one, other, is_any) => {
            let order = order_line(world, order, *one, *other, *is_any);
            world.order(&order);
        }
    }
}

/// An order with its blanks filled in: most often about a game in progress, sometimes about any.
fn order_line(world: &World, order: &str, one: usize, other: usize, is_any: bool) -> String {
    let ledger = world.event.ledger();
    let running: Vec<_> = ledger.running().keys().copied().collect();
    let game = if is_any || running.is_empty() {
        one % 12 + 1
    } else {
        running[one % running.len()]
    };
    let plies = ledger.running().get(&game);
    let plies = plies.map_or(0, |game| game.referee.game().moves().len());
    let name = &ledger.names()[other % 4];
    let words = order.split(' ').map(|word| match word {
        "G" => game.to_string(),
        "P" => (other % (plies + 1)).to_string(),
        "N" if name.contains(' ') => format!("'{name}'"),
        "N" => name.clone(),
        // A part of a new name.
        "New-N" => format!("New-{}", NAMES[other % 4]),
        "N'" => format!("{}'", NAMES[other % 4]),
        word => word.to_owned(),
    });
    let line = words.collect::<Vec<_>>().join(" ");
    match other % 3 {
        0 => format!("{line} --reason 'a \"good\" reason: \u{fc}' --by Eve"),
        1 => format!("{line} --reason short"),
        _ => line,
    }
}

fn has_a_transport(world: &World) -> bool {
    world.event.ledger().config().players[0].fifo.is_some()
}
