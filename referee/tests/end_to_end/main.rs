//! The referee from outside: the program, players on sockets, browsers. All tests are one program, so that what they
//! share is compiled and linked once.

mod arbiter;
mod commands;
mod common;
mod crash;
#[cfg(target_os = "linux")]
mod durability;
mod ended;
mod equipment;
mod events;
mod growing;
#[cfg(target_os = "linux")]
mod network;
#[cfg(unix)]
mod observer;
mod openings;
mod page;
mod pair;
mod players;
mod presets;
mod program;
#[cfg(target_os = "linux")]
mod programs;
mod ratings;
mod real;
mod shell;
mod sprt;
mod stalled;
#[cfg(target_os = "linux")]
mod strangers;
mod stream;
#[cfg(unix)]
mod takeover;
mod tls;
#[cfg(unix)]
mod transports;
mod trf;
#[cfg(target_os = "linux")]
mod watch;
mod web;
