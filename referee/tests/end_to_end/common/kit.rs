//! A client as the standard author's EPD Kit is: it reads what the kit reads, answers as the kit
//! answers, and panics where the kit crashes or leaves.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::thread::{self, JoinHandle};

use epd::Record;
use movegen::{Game, San};
use rand::seq::IndexedRandom;
use rand::{SeedableRng, rngs::StdRng};

/// The longest line that the kit reads in one piece.
const LONGEST: usize = 4093;
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// A game as the kit writes it at its end.
#[derive(Clone, Debug)]
pub struct Written {
    /// The values of the seven tags.
    pub tags: Vec<String>,
    pub moves: Vec<String>,
}

pub struct Kit {
    read: BufReader<File>,
    write: File,
    /// The game structure: there is none before the first reset and after a conclude.
    game: Option<(Game, Vec<String>)>,
    written: Vec<Written>,
    rng: StdRng,
}

impl Kit {
    /// Opens the pipes as the kit does, for reading and appending, and signs on without a name.
    pub fn open(base: &Path, seed: u64) -> Self {
        let open = |end: &str| {
            let mut path = base.as_os_str().to_owned();
            path.push(end);
            let file = OpenOptions::new().read(true).append(true).open(path);
            file.expect("the referee has made the pipes")
        };
        let mut kit = Self {
            write: open(".pc0"),
            read: BufReader::new(open(".pc1")),
            game: None,
            written: Vec::new(),
            rng: StdRng::seed_from_u64(seed),
        };
        kit.say("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - refreq sign_on;");
        kit
    }

    fn say(&mut self, line: &str) {
        writeln!(self.write, "{line}").expect("written");
    }

    /// Plays until it is disconnected; returns the games that it has written.
    pub fn play(mut self) -> Vec<Written> {
        while self.obey() {}
        self.written
    }

    /// Reads one record and does what it says; false after a disconnect command.
    fn obey(&mut self) -> bool {
        let mut line = String::new();
        self.read.read_line(&mut line).expect("readable");
        let line = line.strip_suffix('\n').expect("a whole line");
        assert!(line.len() <= LONGEST, "cut in two: {line}");
        assert!(
            !line.is_empty() && line.ends_with(';'),
            "no record: {line:?}"
        );
        let record: Record = line.parse().expect(line);
        let operand = |opcode| {
            let operation = record.get(opcode)?;
            Some(operation.operands.first()?.text().to_owned())
        };
        let command = operand("refcom").unwrap_or_else(|| panic!("no refcom: {line}"));
        let supplied = operand("sm");
        match command.as_str() {
            "reset" => {
                let unknown = ROSTER.map(|_| "?".to_owned()).to_vec();
                self.game = Some((Game::default(), unknown));
            }
            "inform" => self.inform(&record),
            "execute" => self.make(&supplied.expect("the kit crashes at execute without a move")),
            "respond" => {
                if let Some(san) = supplied {
                    self.make(&san);
                }
                self.reply();
            }
            "conclude" => {
                let (game, tags) = self.game.take().expect("the kit crashes without a game");
                let mut position = *game.start();
                let moves = game.moves().iter().map(|&mv| {
                    let san = San::of(&position, mv).to_string();
                    position.play(mv);
                    san
                });
                let moves = moves.collect();
                self.written.push(Written { tags, moves });
            }
            "disconnect" => return false,
            _ => panic!("the kit leaves at: {line}"),
        }
        true
    }

    fn inform(&mut self, record: &Record) {
        let (_, values) = self.game.as_mut().expect("the kit crashes without a game");
        let tags = record
            .get("ptp")
            .expect("the kit crashes at inform without tags");
        let (pairs, rest) = tags.operands.as_chunks::<2>();
        assert!(rest.is_empty(), "{record}");
        let names: Vec<_> = pairs.iter().map(|[name, _]| name.text()).collect();
        assert_eq!(names[..7], ROSTER, "the roster in its order");
        for (value, [_, new]) in values.iter_mut().zip(pairs) {
            new.text().clone_into(value);
        }
    }

    /// Makes a move on its own board: the position of the record is not looked at.
    fn make(&mut self, san: &str) {
        let (game, _) = self.game.as_mut().expect("the kit crashes without a game");
        let mv =
            movegen::san::parse(game.position(), san).expect("the kit crashes at illegal moves");
        game.play(mv).expect("legal");
    }

    fn reply(&mut self) {
        let (game, _) = self.game.as_ref().expect("a game");
        let fields = game.position().setup().fields().to_string();
        let moves = game.position().legal_moves();
        match moves.choose(&mut self.rng) {
            Some(&mv) => {
                let san = San::of(game.position(), mv).to_string();
                self.say(&format!("{fields} refreq reply; sm {san};"));
                self.make(&san);
            }
            None => self.say(&format!("{fields} refreq reply;")),
        }
    }
}

/// A client in a thread of its own.
pub fn spawn(base: &Path, seed: u64) -> JoinHandle<Vec<Written>> {
    let kit = Kit::open(base, seed);
    thread::spawn(move || kit.play())
}
