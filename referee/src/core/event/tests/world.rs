//! What surrounds an event in a test: connections and programs that do what the test says, and a list
//! of everything that came out.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use epd::protocol::frame::{Frame, line_of};
use epd::protocol::{Command, Message, Request, Term};
use movegen::{Game, Position, San};

use crate::core::config::Config;
use crate::core::event::view::EventView;
use crate::core::event::{
    Access, Effect, Event, Input, Ledger, LinkId, Peer as Origin, ProgramId, Report,
};
use crate::core::journal::Entry;
use crate::core::observer::SignOn;
use crate::core::openings::Opening;

/// A player's end of a connection.
#[derive(Clone, Debug, Default)]
pub struct Peer {
    /// Its board, once it was reset.
    pub board: Option<Game>,
    /// It has been asked and has not replied.
    pub is_asked: bool,
    /// The names of the commands that it got.
    pub commands: Vec<&'static str>,
    /// The commands that spoke of pings, and their interval in seconds.
    pub pings: Vec<(&'static str, u32)>,
    /// What it was told when it was disconnected.
    pub farewell: Option<String>,
    /// The last term that it was told.
    pub term: Option<Term>,
    /// The last tags that it was told.
    pub tags: Vec<(String, String)>,
}

impl Peer {
    /// The value of a tag that it was told.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        let found = tags.find(|(tag, _)| tag == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// An event and what surrounds it.
pub struct World {
    pub event: Event,
    pub now: Instant,
    pub begin: Instant,
    pub peers: BTreeMap<LinkId, Peer>,
    next_link: LinkId,
    transport: Option<LinkId>,
    pub journal: Vec<Entry>,
    /// Snapshots of the ledger after the input that wrote so many entries.
    pub snapshots: Vec<(usize, String)>,
    /// Whether to keep them, for events that are not too long.
    pub keeps_snapshots: bool,
    pub reports: Vec<Report>,
    /// What a viewer knows who has read them.
    pub view: EventView,
    pub said: Vec<String>,
    pub games: String,
    pub answers: Vec<(String, bool)>,
    /// Programs that were started, and whether each still runs.
    pub started: Vec<ProgramId>,
    pub running: Vec<ProgramId>,
    pub killed: Vec<ProgramId>,
    /// Commands that are not written yet, if the test holds them back.
    pub held: VecDeque<Input>,
    /// Observers that were admitted.
    pub observers: Vec<(LinkId, SignOn)>,
    pub holds_back: bool,
}

pub fn ledger(text: &str) -> Ledger {
    let text = format!("event = \"Test\"\n{text}");
    let config = Config::read(&text).expect("sound");
    Ledger::new(config, vec![Opening::default()]).expect("a schedule")
}

impl World {
    pub fn new(text: &str) -> Self {
        Self::of(ledger(text), Access::default())
    }

    pub fn of(ledger: Ledger, access: Access) -> Self {
        let now = Instant::now();
        let mut world = Self {
            event: Event::new(ledger, access, now),
            now,
            begin: now,
            peers: BTreeMap::new(),
            next_link: 0,
            transport: None,
            journal: Vec::new(),
            snapshots: Vec::new(),
            keeps_snapshots: true,
            reports: Vec::new(),
            view: EventView::default(),
            said: Vec::new(),
            games: String::new(),
            answers: Vec::new(),
            started: Vec::new(),
            running: Vec::new(),
            killed: Vec::new(),
            held: VecDeque::new(),
            observers: Vec::new(),
            holds_back: false,
        };
        let start = world.event.ledger().start_report("127.0.0.1:5001");
        world.view.apply(&Report::Start(Box::new(start)), "");
        let date = "2026.11.22".to_owned();
        world.feed(Input::Begin { date });
        world
    }

    /// Hands in an input at this instant, and what follows at once.
    pub fn feed(&mut self, input: Input) {
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            let entries = self.journal.len();
            for effect in self.event.handle(input, self.now) {
                self.carry_out(effect, &mut inputs);
            }
            if self.keeps_snapshots && self.journal.len() > entries {
                self.snapshots
                    .push((self.journal.len(), self.event.ledger().snapshot()));
            }
        }
    }

    fn carry_out(&mut self, effect: Effect, inputs: &mut VecDeque<Input>) {
        match effect {
            Effect::Journal(entry) => self.journal.push(entry),
            Effect::Send {
                link, id, command, ..
            } => {
                if self.peers.contains_key(&link) {
                    assert!(line_of(&command.record()).is_ascii());
                    self.hear(link, &command);
                    let sent = Input::Sent(link, id);
                    if self.holds_back {
                        self.held.push_back(sent);
                    } else {
                        inputs.push_back(sent);
                    }
                }
            }
            Effect::Close(link) => {
                self.peers.remove(&link);
            }
            Effect::Start(seat) => {
                assert!(!self.running.contains(&seat), "started twice");
                self.started.push(seat);
                self.running.push(seat);
            }
            Effect::Kill(seat) => self.killed.push(seat),
            Effect::Pgn(pgn) => self.games.push_str(&pgn),
            Effect::RebuildGames => {
                let games = self.event.ledger().games_of(self.journal.clone());
                self.games = games.expect("a journal");
            }
            Effect::Say(text) => self.said.push(text),
            Effect::Report(report) => {
                // As a viewer reads it.
                let json = serde_json::to_string(&report).expect("JSON");
                let read: Report = serde_json::from_str(&json).expect(&json);
                assert_eq!(read, report);
                self.view.apply(&read, "");
                self.reports.push(report);
            }
            Effect::Answer { text, is_refused } => self.answers.push((text, is_refused)),
            Effect::Observe(link, sign_on) => self.observers.push((link, sign_on)),
            Effect::Name(..) | Effect::Log(..) | Effect::Standings => {}
        }
    }

    /// A peer gets a command; whatever it is told must agree with what it was told before.
    fn hear(&mut self, link: LinkId, command: &Command) {
        let peer = self.peers.get_mut(&link).expect("a peer");
        peer.commands.push(command.name());
        let content = command.message();
        let pings = content.ping.map(|seconds| (command.name(), seconds));
        peer.pings.extend(pings);
        peer.term = content.term.clone().or(peer.term.take());
        match command {
            Command::Reset(_) => {
                peer.board = Some(Game::new(content.position.expect("a position")));
                peer.is_asked = false;
            }
            Command::Execute(_) | Command::Respond(_) => {
                let board = peer.board.as_mut().expect("a reset");
                if let Some(mv) = content.supplied_move() {
                    let before = content.position.expect("a position");
                    if *board.position() == before {
                        board.play(mv).expect("legal");
                    } else {
                        let mut after = before;
                        after.play(mv);
                        assert_eq!(*board.position(), after, "a move was lost or doubled");
                    }
                }
                peer.is_asked = matches!(command, Command::Respond(_));
            }
            Command::Conclude(_) => {
                let board = peer.board.as_ref().expect("a reset");
                assert_eq!(content.position.as_ref(), Some(board.position()));
                peer.is_asked = false;
            }
            Command::Disconnect(_) => {
                let text = content.text.as_deref().unwrap_or_default();
                peer.farewell = Some(text.to_owned());
            }
            Command::Inform(_) if !content.tags.is_empty() => {
                let tags = content.tags.iter();
                let tags = tags.map(|(tag, value)| (tag.to_string(), value.to_string()));
                peer.tags = tags.collect();
            }
            Command::Fault(_) | Command::Inform(_) => {}
        }
    }

    pub fn open(&mut self) -> LinkId {
        self.open_from([127, 0, 0, 1])
    }

    pub fn open_from(&mut self, address: [u8; 4]) -> LinkId {
        let port = self.next_link as u16 + 1;
        self.open_as(SocketAddr::from((address, port)).into())
    }

    /// The transport of a player is opened.
    pub fn open_transport(&mut self, player: usize, is_there: bool) -> LinkId {
        self.open_as(Origin::Dedicated { player, is_there })
    }

    /// The first player comes by its transport, which is opened again if it was closed, or signs on once more.
    pub fn enter_by_transport(&mut self) {
        let open = self.transport.filter(|link| self.peers.contains_key(link));
        let link = open.unwrap_or_else(|| self.open_transport(0, false));
        self.transport = Some(link);
        self.request(link, &Position::start(), "refreq sign_on;");
    }

    /// Whether the first player's transport is open.
    pub fn is_on_transport(&self) -> bool {
        self.transport
            .is_some_and(|link| self.peers.contains_key(&link))
    }

    pub fn open_as(&mut self, origin: Origin) -> LinkId {
        self.next_link += 1;
        let link = self.next_link;
        self.peers.insert(link, Peer::default());
        self.feed(Input::Opened(link, origin));
        link
    }

    pub fn line(&mut self, link: LinkId, line: &str) {
        let read = self.now;
        let frame = Frame::Line(line.to_owned());
        self.feed(Input::Received { link, frame, read });
    }

    pub fn request(&mut self, link: LinkId, position: &Position, operations: &str) {
        let line = format!("{} {operations}", position.setup().fields());
        self.line(link, &line);
    }

    pub fn sign_on(&mut self, link: LinkId, name: &str, auth: &str) {
        let operations = format!("{auth} refreq sign_on; tcsi \"\" \"{name}\";");
        self.request(link, &Position::start(), &operations);
    }

    /// A player connects and signs on.
    pub fn enter(&mut self, name: &str) -> LinkId {
        let link = self.open();
        self.sign_on(link, name, "");
        link
    }

    /// A peer's connection ends.
    pub fn cut(&mut self, link: LinkId) {
        self.peers.remove(&link);
        self.feed(Input::Closed(link));
    }

    /// A program ends.
    pub fn exit(&mut self, program: ProgramId) {
        self.running.retain(|&other| other != program);
        self.feed(Input::Exited(program, "exit status: 1".to_owned()));
    }

    /// A peer replies with an operation, and makes the move on its board.
    pub fn reply(&mut self, link: LinkId, operations: &str) {
        let peer = self.peers.get_mut(&link).expect("a peer");
        let board = peer.board.as_mut().expect("a reset");
        let position = *board.position();
        let line = format!("{} refreq reply; {operations}", position.setup().fields());
        let record = epd::read(&line, &mut Vec::new()).expect(&line);
        if let Ok(Request::Reply(Message {
            supplied: Some(_), ..
        })) = Request::read(&record)
            && let Ok(Request::Reply(reply)) = Request::read(&record)
            && let Some(mv) = reply.supplied_move()
        {
            board.play(mv).expect("legal");
        }
        peer.is_asked = false;
        self.line(link, &line);
    }

    /// A peer plays one of its moves.
    pub fn play(&mut self, link: LinkId, choice: usize) {
        let board = self.peers[&link].board.as_ref().expect("a reset");
        let moves = board.position().legal_moves();
        if moves.is_empty() {
            self.reply(link, "");
        } else {
            let san = San::of(board.position(), moves[choice % moves.len()]).to_string();
            self.reply(link, &format!("sm {san};"));
        }
    }

    /// Time goes by.
    pub fn wait(&mut self, time: Duration) {
        self.now += time;
        self.feed(Input::Tick);
    }

    /// Time goes by until something is due.
    pub fn wait_until_due(&mut self) -> bool {
        let Some(deadline) = self.event.deadline() else {
            return false;
        };
        self.now = self.now.max(deadline);
        self.feed(Input::Tick);
        true
    }

    pub fn order(&mut self, order: &str) -> (String, bool) {
        let given = order.parse().expect(order);
        let at = "2026-11-22T12:00:00.000Z".to_owned();
        self.feed(Input::Order { given, at });
        self.answers.pop().expect("an answer")
    }

    pub fn asked(&self) -> Vec<LinkId> {
        let asked = self.peers.iter().filter(|(_, peer)| peer.is_asked);
        asked.map(|(&link, _)| link).collect()
    }

    /// The results that were reported: game, result and fault.
    pub fn results(&self) -> Vec<(usize, String, Option<String>)> {
        let results = self.reports.iter().filter_map(|report| match report {
            Report::Result {
                game,
                result,
                verdict,
                ..
            } => Some((
                *game,
                result.clone(),
                verdict.map(|verdict| verdict.to_string()),
            )),
            _ => None,
        });
        results.collect()
    }
}
