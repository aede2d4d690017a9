//! Players that follow a script, on real connections.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::{self, JoinHandle};

use epd::protocol::{Command, Message, Request};
use movegen::{Game, Position, San};
use rand::seq::IndexedRandom;
use rand::{SeedableRng, rngs::StdRng};

/// What a player does when it is asked.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It replies with these operations to the position that it has; a move is made on its board.
    Reply(String),
    /// It sends this line.
    Line(String),
    /// It sends nothing.
    Nothing,
    /// It goes without a word.
    Vanish,
}

/// A move and nothing else.
pub fn playing(san: impl std::fmt::Display) -> Answer {
    Answer::Reply(format!("sm {san};"))
}

/// What a player has seen of a game.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The tags that it was informed of, the last values.
    pub tags: Vec<(String, String)>,
    /// The moves on its board.
    pub moves: Vec<String>,
    /// The clocks of the first record with a move, in milliseconds.
    pub first_clocks: Option<(u128, u128)>,
    /// The names of the commands.
    pub commands: Vec<&'static str>,
    /// The words of the last inform command.
    pub text: String,
}

impl Seen {
    pub fn tag(&self, name: &str) -> &str {
        let mut tags = self.tags.iter().rev();
        tags.find(|(tag, _)| tag == name)
            .map_or("", |(_, value)| value)
    }

    pub fn is_concluded(&self) -> bool {
        self.commands.contains(&"conclude")
    }
}

/// All that a player has seen on a connection.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    /// The games, the first one begun by the acknowledgement of its coming.
    pub games: Vec<Seen>,
    /// Words of faults.
    pub faults: Vec<String>,
    /// The words of the disconnect command, if it ended that way.
    pub farewell: Option<String>,
}

/// A connection to a referee.
pub struct Link {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Link {
    pub fn open(address: SocketAddr) -> Self {
        Self::try_open(address).expect("the referee listens")
    }

    pub fn try_open(address: SocketAddr) -> std::io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(super::LIMIT))?;
        let reader = BufReader::new(stream.try_clone()?);
        Ok(Self { stream, reader })
    }

    /// Sends bytes; a referee that is gone is noticed by reading.
    pub fn send(&mut self, text: impl AsRef<[u8]>) -> bool {
        self.stream.write_all(text.as_ref()).is_ok()
    }

    pub fn request(&mut self, position: &Position, operations: &str) -> bool {
        self.send(format!("{} {operations}\n", position.setup().fields()))
    }

    pub fn sign_on(&mut self, name: &str) -> bool {
        let name = if name.is_empty() {
            String::new()
        } else {
            format!("tcsi \"\" \"{name}\";")
        };
        self.request(&Position::start(), &format!("refreq sign_on; {name}"))
    }

    pub fn sign_on_with(&mut self, name: &str, secret: &str) -> bool {
        let operations = format!("Auth \"{secret}\"; refreq sign_on; tcsi \"\" \"{name}\";");
        self.request(&Position::start(), &operations)
    }

    /// The next line; none at the end.
    #[track_caller]
    pub fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        match self.reader.read_line(&mut line) {
            Ok(1..) if line.ends_with('\n') => {
                line.pop();
                Some(line)
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => panic!("nothing comes"),
            Ok(_) | Err(_) => None,
        }
    }

    /// The next command; none at the end.
    #[track_caller]
    pub fn command(&mut self) -> Option<Command> {
        let line = self.line()?;
        assert!(!line.is_empty() && line.len() <= 4093, "{line}");
        let record: epd::Record = line.parse().expect(&line);
        Some(Command::read(&record).expect(&line))
    }

    /// Reads up to the disconnect command; returns its words.
    #[track_caller]
    pub fn farewell(&mut self) -> Option<String> {
        while let Some(command) = self.command() {
            if let Command::Disconnect(content) = command {
                return Some(content.text.unwrap_or_default().to_string());
            }
        }
        None
    }
}

/// A player whose moves come from a policy: it is given the game with the opponent's move made.
/// Whatever the referee says of positions must agree with the moves before it.
pub struct Scripted<P> {
    name: String,
    secret: Option<String>,
    policy: P,
    board: Option<Game>,
    transcript: Transcript,
}

impl<P: FnMut(&Game, &Message) -> Answer> Scripted<P> {
    pub fn new(name: &str, policy: P) -> Self {
        Self {
            name: name.to_owned(),
            secret: None,
            policy,
            board: None,
            transcript: Transcript::default(),
        }
    }

    /// It says this password when it signs on.
    pub fn with_secret(mut self, secret: &str) -> Self {
        self.secret = Some(secret.to_owned());
        self
    }

    /// Plays until the connection ends.
    pub fn play(mut self, mut link: Link) -> Transcript {
        match &self.secret {
            None => link.sign_on(&self.name),
            Some(secret) => link.sign_on_with(&self.name, secret),
        };
        while let Some(command) = link.command() {
            if !self.obey(&command, &mut link) {
                break;
            }
        }
        self.transcript
    }

    fn seen(&mut self) -> &mut Seen {
        self.transcript.games.last_mut().expect("a reset")
    }

    /// Does what it is told; false at the end.
    fn obey(&mut self, command: &Command, link: &mut Link) -> bool {
        let content = command.message();
        if let Command::Reset(_) = command {
            self.transcript.games.push(Seen::default());
            self.board = Some(Game::new(content.position.expect("a position")));
        }
        match command {
            Command::Fault(_) => {
                let text = content.text.as_deref().unwrap_or_default();
                self.transcript.faults.push(text.to_owned());
                return true;
            }
            Command::Disconnect(_) => {
                let text = content.text.as_deref().unwrap_or_default();
                self.transcript.farewell = Some(text.to_owned());
                return false;
            }
            _ => {}
        }
        self.seen().commands.push(command.name());
        match command {
            Command::Inform(_) => {
                assert!(!content.tags.is_empty(), "the author's client would die");
                let tags = content.tags.iter();
                let tags: Vec<_> = tags
                    .map(|(tag, value)| (tag.to_string(), value.to_string()))
                    .collect();
                let text = content.text.as_deref().unwrap_or_default().to_owned();
                let seen = self.seen();
                seen.tags.extend(tags);
                seen.text = text;
            }
            Command::Execute(_) => {
                assert!(content.supplied.is_some(), "the author's client would die");
                self.follow(content);
            }
            Command::Respond(_) => {
                self.follow(content);
                return self.answer(content, link);
            }
            Command::Conclude(_) => {
                let board = self.board.as_ref().expect("a game");
                assert_eq!(
                    content.position.as_ref(),
                    Some(board.position()),
                    "the last position"
                );
            }
            _ => {}
        }
        true
    }

    /// Makes the move of a record on the board (decisions 29 and 44).
    fn follow(&mut self, content: &Message) {
        let board = self.board.as_mut().expect("a reset");
        if content.supplied.is_none() && content.position.as_ref() == Some(board.position()) {
            return;
        }
        let mv = content.supplied_move().expect("a legal move");
        let before = content.position.expect("a position");
        if *board.position() != before {
            // Asked again: the move has been made.
            let mut after = before;
            after.play(mv);
            assert_eq!(*board.position(), after, "a move was lost or told twice");
            return;
        }
        let san = San::of(&before, mv).to_string();
        board.play(mv).expect("legal");
        let clocks = content.chess_clocks;
        let clocks = clocks
            .map(|(white, black)| (white.duration().as_millis(), black.duration().as_millis()));
        let seen = self.seen();
        seen.first_clocks = seen.first_clocks.or(clocks);
        seen.moves.push(san);
    }

    fn answer(&mut self, content: &Message, link: &mut Link) -> bool {
        let board = self.board.as_mut().expect("a reset");
        match (self.policy)(board, content) {
            Answer::Reply(operations) => {
                let position = *board.position();
                let line = format!("{} refreq reply; {operations}", position.setup().fields());
                let record = epd::read(&line, &mut Vec::new()).expect(&line);
                if let Ok(Request::Reply(reply)) = Request::read(&record)
                    && let Some(mv) = reply.supplied_move()
                {
                    board.play(mv).expect("legal");
                    self.seen().moves.push(San::of(&position, mv).to_string());
                }
                link.send(line + "\n");
            }
            Answer::Line(line) => {
                link.send(line + "\n");
            }
            Answer::Nothing => {}
            Answer::Vanish => return false,
        }
        true
    }
}

/// A player in a thread of its own.
pub fn spawn<P>(address: SocketAddr, name: &str, policy: P) -> JoinHandle<Transcript>
where
    P: FnMut(&Game, &Message) -> Answer + Send + 'static,
{
    let player = Scripted::new(name, policy);
    let link = Link::open(address);
    thread::spawn(move || player.play(link))
}

/// Any legal move.
pub fn random(seed: u64) -> impl FnMut(&Game, &Message) -> Answer + Send + 'static {
    let mut rng = StdRng::seed_from_u64(seed);
    move |game, _| {
        let moves = game.position().legal_moves();
        match moves.choose(&mut rng) {
            Some(&mv) => playing(San::of(game.position(), mv)),
            None => Answer::Reply(String::new()),
        }
    }
}

/// The move of each ply, the opponent's among them, then something else.
pub fn script(
    plies: &'static str,
    then: Answer,
) -> impl FnMut(&Game, &Message) -> Answer + Send + 'static {
    let plies: Vec<_> = plies.split_whitespace().collect();
    move |game, _| match plies.get(game.moves().len()) {
        Some(san) => playing(san),
        None => then.clone(),
    }
}
