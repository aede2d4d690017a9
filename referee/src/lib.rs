//! A tournament referee that exchanges EPD records with its players.
//!
//! - [`core`] holds the rules and decisions: one game, its clock, how games end, the schedule, the
//!   standings. It opens no file and no socket and never asks for the time, so tests control all of it.
//! - [`io`] holds everything that touches the outside world: the TCP server, the players that the
//!   referee starts, and the files in an event's folder.
//! - [`web`] shows the event over HTTP, in a thread of its own, from the stream of events alone.
//!
//! Where to look first:
//!
//! | question | answer |
//! |---|---|
//! | What may an event file contain? | [`config`] |
//! | Who plays whom, in which order? | [`schedule`] |
//! | How does one game run, and when does a player that hangs, crashes or is late lose? | [`game`]; `check_time` and `tick` (core/game/time.rs) |
//! | Who can read, and who can play, what on the network? | [`exposure`], [`tls`] |
//! | Who meets next in a Swiss event, a knockout or a ladder? | [`schedule::next_step`], by [`schedule::swiss`], [`schedule::knockout`] and `core/schedule/ladder.rs`; `Ledger::pair` (core/event/ledger/pairing.rs) puts it into the journal |
//! | In which order are players ranked? | [`ranking`]; the tie-breaks are in the crate `epode-pairing` |
//! | What does a preset set, and how is an event written as a report file (TRF)? | [`config::presets`]; [`report_file`] |
//! | What hardware do players report, and how is their time normalised? | [`equipment`], `core/normalization.rs` |
//! | How are time controls written? | [`epd::protocol::time_control`] |
//! | Where do games begin, and how is a book read? | [`openings`] |
//! | How does PGN get into `games.pgn`? | `Ledger::end` (core/event/ledger/games.rs) returns it; `movegen::pgn` writes it |
//! | What does an order of the arbiter change? | `Ledger::apply` (core/event/ledger/decisions.rs), then `Event::follow` (core/event/orders.rs) |
//! | How are players rated, and a Swiss round paired, from files? | [`ratings`] (`cli/ratings.rs`); the crate `epode-pairing` (`cli/pair.rs`) |
//! | How does an event become a tournament report file, and a file an event? | [`report_file`]; `cli/trf/event.rs` |
//! | What arrives on a connection, and what happens then? | [`server`] |
//! | What keeps the order "journal before send"? | `Event::act` (core/event/games.rs) puts each entry before the commands that depend on it; `Server::carry_out` (io/server/effects.rs) carries effects out in their order |
//! | What keeps strangers from slowing down the games? | `io/inbox.rs` |
//! | What is in `events.jsonl`, and what does a viewer know from it? | [`event::stream`], [`event::view`] |
//! | What may viewers see, and when? | [`broadcast`] |
//! | What is answered over HTTP? | [`web`] (`web/server.rs`) |
//! | What survives a crash of the referee? | [`journal`], [`storage`] |
//! | What does an observer get, and what does it answer? | `core/observer.rs` (the records), [`observer`] (the loop), [`replica`] (the folder) |
//! | When are players told of a move, if an observer must have it first? | [`replication`]; `Server::dispatch` (io/server/observing.rs) lets effects wait |
//! | When does an observer take over? | [`takeover`]; then `cli/observe.rs` goes on like `resume` |
//! | What stops a referee that was replaced? | `Event::compare_term` (core/event/observers.rs) |
//! | Why does the protocol work like that where the standard is silent? | [`epd::decisions`], which is epd/DECISIONS.md |

#![forbid(unsafe_code)]

pub mod core;
pub mod io;
pub mod web;

pub use crate::core::{
    adjudication, broadcast, clock, config, elo, ending, equipment, event, exposure, game, journal,
    openings, ranking, ratings, replication, report_file, schedule, secret, sprt, standings,
    takeover, text, variant,
};
pub use crate::io::{
    connection, connector, message, observer, replica, secret_file, server, spawn, storage,
    tablebases, tls,
};
