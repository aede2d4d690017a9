//! The orders that have keys, and the questions before those that do harm.

use movegen::pgn::Outcome;
use referee::event::Order;
use referee::event::view::GameView;

use super::question::{Choice, Question};
use super::state::State;

/// What a key leads to.
#[derive(Debug, PartialEq)]
pub enum Action {
    /// An order that does no harm is given at once.
    Give(String),
    Ask(Question),
    /// The user types the rest of an order.
    Type(String),
    /// The order makes no sense now, and why.
    Refuse(String),
}

/// What a key does to the selected game; none if it is no key of games.
pub fn of_game(state: &State, key: char) -> Option<Action> {
    let action = match key {
        'p' => pause,
        'a' => adjudicate,
        'x' => abort,
        'f' => forfeit,
        'e' => |_: &State, game: &GameView| Action::Type(format!("extend {} ", game.game.game)),
        't' => takeback,
        's' => send_again,
        'r' => return Some(replay(state)),
        _ => return None,
    };
    let Some(game) = state.selected_game() else {
        return Some(Action::Refuse(
            "no game is selected that has begun".to_owned(),
        ));
    };
    if game.end.is_some() {
        let number = game.game.game;
        let text = format!("game {number} has ended: r cancels its result and plays it again");
        return Some(Action::Refuse(text));
    }
    Some(action(state, game))
}

/// The question whether to do something to a game.
fn ask(game: &GameView, what: &str, order: &Order) -> Action {
    let report = &game.game;
    let text = format!(
        "{what} game {}, {} - {}?",
        report.game, report.white, report.black
    );
    Action::Ask(Question::new(text, order))
}

fn pause(_: &State, game: &GameView) -> Action {
    let number = Some(game.game.game);
    if game.game.is_paused {
        return Action::Give(Order::Resume { game: number }.to_string());
    }
    ask(game, "Stop the clocks of", &Order::Pause { game: number })
}

fn adjudicate(_: &State, game: &GameView) -> Action {
    let report = &game.game;
    let choices = [
        ('w', format!("{} wins", report.white), Outcome::White),
        ('b', format!("{} wins", report.black), Outcome::Black),
        ('d', "draw".to_owned(), Outcome::Draw),
    ];
    let choices = choices.map(|(key, label, result)| Choice {
        key,
        label,
        order: Order::Adjudicate {
            game: report.game,
            result,
        }
        .to_string(),
    });
    Action::Ask(Question {
        text: format!(
            "How does game {}, {} - {}, end?",
            report.game, report.white, report.black
        ),
        choices: choices.to_vec(),
        template: format!("adjudicate {} ", report.game),
    })
}

fn abort(_: &State, game: &GameView) -> Action {
    let order = Order::Abort {
        game: game.game.game,
    };
    ask(game, "End without a result", &order)
}

fn forfeit(_: &State, game: &GameView) -> Action {
    let report = &game.game;
    let choices = [('w', &report.white), ('b', &report.black)];
    let choices = choices.map(|(key, player)| Choice {
        key,
        label: player.clone(),
        order: Order::Forfeit {
            player: player.clone(),
            game: Some(report.game),
        }
        .to_string(),
    });
    Action::Ask(Question {
        text: format!("Who forfeits game {}?", report.game),
        choices: choices.to_vec(),
        template: "forfeit ".to_owned(),
    })
}

/// Back to the position on the screen, or else to that before the last move.
fn takeback(state: &State, game: &GameView) -> Action {
    let plies = game.game.opening_moves.len() + game.game.moves.len();
    let ply = state.ply.unwrap_or(plies.saturating_sub(1));
    Action::Type(format!("takeback {} {ply}", game.game.game))
}

fn send_again(_: &State, game: &GameView) -> Action {
    let order = Order::Reset {
        game: game.game.game,
    };
    ask(game, "Send both players all moves again of", &order)
}

fn replay(state: &State) -> Action {
    match state.selected() {
        Some(game) if state.view.ends.contains_key(&game) => Action::Ask(Question::new(
            format!("Cancel the result of game {game} and play it again?"),
            &Order::Replay { game },
        )),
        Some(game) => Action::Refuse(format!("game {game} has no result yet")),
        None => Action::Refuse("no game is selected".to_owned()),
    }
}

/// What a key does to the event as a whole; none if it is no such key.
pub fn of_event(state: &State, key: char) -> Option<Action> {
    match key {
        'P' if state.view.paused.is_some() => {
            Some(Action::Give(Order::Resume { game: None }.to_string()))
        }
        'P' => Some(Action::Ask(Question::new(
            "Start no new games? Those in progress go on.".to_owned(),
            &Order::Pause { game: None },
        ))),
        'm' => Some(Action::Type("message ".to_owned())),
        _ => None,
    }
}

/// What a key does to the selected player of the standings; none if it is no such key.
pub fn of_player(state: &State, key: char) -> Option<Action> {
    let standings = state.view.standings();
    let name = standings.players.get(state.place)?.name.clone();
    let words = || vec![name.clone()];
    let (text, order) = match key {
        'K' => (
            format!("Disconnect {name}, who may come back?"),
            Order::Kick { words: words() },
        ),
        'R' => (
            format!("Kill the program of {name} and start it again?"),
            Order::Restart { words: words() },
        ),
        _ => return None,
    };
    Some(Action::Ask(Question::new(text, &order)))
}

/// The question before an order that was typed; none if it is carried out at once.
pub fn before(order: &Order) -> Option<Question> {
    let text = "Stop the referee and disconnect all players? The event can be resumed. \
                (To leave only this view, press q without typing an order.)";
    matches!(order, Order::Quit).then(|| Question::new(text.to_owned(), order))
}
