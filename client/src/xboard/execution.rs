//! Executes the commands of the interface, and answers its pings.

use super::command::{Command, Fault};
use super::options::features;
use super::output::complain;
use super::{Aim, Role, Session};
use crate::io::interface::print;
use crate::think::job::Job;
use crate::think::tablebases::Setting;

impl Session {
    /// Executes a command; false after `quit`.
    pub(super) fn execute(&mut self, line: &str) -> bool {
        match Command::read(line) {
            Ok(Command::Quit) => return false,
            Ok(command) => {
                if let Err(Fault(why)) = self.act(&command) {
                    print(&format!("Error ({why}): {line}"));
                }
            }
            Err(Fault(why)) => print(&format!("Error ({why}): {line}")),
        }
        true
    }

    fn act(&mut self, command: &Command<'_>) -> Result<(), Fault> {
        match *command {
            Command::Protocol => print(&features(&self.options)),
            Command::New => self.start_game(),
            Command::Variant(name) => self.set_variant(name)?,
            Command::Force | Command::Result | Command::Exit => {
                self.stop();
                self.role = Role::Referee;
            }
            Command::Go => self.play(self.game.position().turn()),
            Command::PlayOther => self.play(!self.game.position().turn()),
            Command::Move(text) => self.take_move(text),
            Command::MoveNow => {
                self.move_now();
            }
            Command::Ping(number) => self.pong(number),
            Command::DrawOffer => self.consider_draw(),
            Command::SetBoard(fen) => self.set_board(fen),
            Command::Undo => self.undo(1)?,
            Command::Remove => self.undo(2)?,
            Command::Analyze => {
                self.stop();
                self.role = Role::Analyst;
                self.think();
            }
            Command::Status => self.tell_status(),
            _ => return self.set(command),
        }
        Ok(())
    }

    /// Executes the commands that change a setting.
    fn set(&mut self, command: &Command<'_>) -> Result<(), Fault> {
        match *command {
            Command::Level(moves, base, increment) => self.clocks.set_level(moves, base, increment),
            Command::FixedTime(time) => self.clocks.set_fixed(time),
            Command::FixedDepth(depth) => self.clocks.depth = Some(depth.max(1)),
            Command::NodeRate(rate) => self.clocks.node_rate = Some(rate).filter(|&rate| rate > 0),
            Command::Time(time) => self.clocks.set_left(time),
            Command::Hard => self.ponders = true,
            Command::Easy => {
                self.ponders = false;
                self.stop_pondering();
            }
            Command::Post => self.posts = true,
            Command::NoPost => self.posts = false,
            Command::Memory(mib) => self.send(Job::Hash(mib.clamp(1, 1 << 20) as usize)),
            Command::TablebasePath("syzygy", path) => {
                self.send(Job::Tablebases(Setting::path(path)));
            }
            Command::Cores(cores) => self.send(Job::Threads(cores.clamp(1, 1024) as usize)),
            Command::Option(name, _) if name.eq_ignore_ascii_case("Clear Hash") => {
                self.send(Job::Clear);
            }
            Command::Option(name, value) if name.eq_ignore_ascii_case("BookFile") => {
                if let Err(why) = self.options.book.set_file(value) {
                    complain(&why);
                    return Err(Fault("cannot open the book"));
                }
            }
            Command::Option(name, value) if !self.options.set(name, value) => {
                return Err(Fault("unknown option or value"));
            }
            // Tables of other kinds, among others.
            _ => {}
        }
        Ok(())
    }

    /// Answers a ping when all earlier commands are executed.
    fn pong(&mut self, number: &str) {
        match &self.search {
            Some(search) if search.aim == Aim::Move => self.pings.push(number.to_owned()),
            Some(_) => print(&format!("pong {number}")),
            None => {
                let answer = format!("pong {number}");
                self.send(Job::Run(Box::new(move || print(&answer))));
            }
        }
    }

    pub(super) fn answer_pings(&mut self) {
        for number in std::mem::take(&mut self.pings) {
            print(&format!("pong {number}"));
        }
    }
}
