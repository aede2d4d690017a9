//! The load on the referee: 200 games at once between 400 players that move at random.
//!
//! First they move at once: printed are the plies, the processor time of the referee for each of them, and how
//! late it was. Then they think for half a second on average, without viewers and with 1,000 that follow the
//! stream of events, and their lags are compared. No game may be lost on time or by a fault. The referee's
//! program is built by `cargo build --release -p epode-referee`, or is the one named in `EPODE_REFEREE`.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use epd::protocol::{Command as Order, Message, Request, frame::line_of};
use epode_benches::{Whose, processor_time};
use movegen::Position;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng, rngs::StdRng};

const GAMES: usize = 200;
const VIEWERS: usize = 1000;
/// A stack that is large enough for a player or a viewer.
const STACK: usize = 256 << 10;

fn main() {
    let Some(program) = epode_benches::program("epode-referee", "EPODE_REFEREE") else {
        println!("skipped: no epode-referee, cargo build --release -p epode-referee makes one");
        return;
    };
    let full = run(&program, 60_000, Duration::ZERO, 0);
    println!("{GAMES} games at once, {full}");
    let pause = Duration::from_millis(500);
    let quiet = run(&program, 16_000, pause, 0);
    println!("with pauses to think, {quiet}");
    let watched = run(&program, 16_000, pause, VIEWERS);
    println!("with {VIEWERS} viewers, {watched}");
    println!(
        "lag at 99 % with viewers: {:.2} times that without",
        watched.lag(990) / quiet.lag(990)
    );
}

/// What was measured.
struct Measured {
    plies: usize,
    wall: Duration,
    /// The processor time of the referee, in seconds.
    spent: f64,
    /// The lags of all moves, sorted, in milliseconds.
    lags: Vec<f64>,
    results: usize,
    /// What viewers were sent, in bytes.
    viewed: usize,
}

impl Measured {
    /// The lag below which so many of 1000 moves are.
    fn lag(&self, part: usize) -> f64 {
        self.lags[self.lags.len() * part / 1000]
    }
}

impl std::fmt::Display for Measured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "{} plies in {:.1} s, {} games over, none of them by forfeit",
            self.plies,
            self.wall.as_secs_f64(),
            self.results
        )?;
        let each = 1e6 * self.spent / self.plies as f64;
        writeln!(f, "  processor time of the referee: {each:.1} us a ply")?;
        if self.viewed > 0 {
            let each = self.viewed / VIEWERS;
            writeln!(f, "  each viewer was sent {each} bytes")?;
        }
        write!(
            f,
            "  lag of the referee: median {:.2} ms, 99 % {:.2} ms, 99.9 % {:.2} ms",
            self.lag(500),
            self.lag(990),
            self.lag(999)
        )
    }
}

/// What the players share.
struct Load {
    asked: AtomicUsize,
    plies: usize,
    /// How long they think on average.
    pause: Duration,
}

/// Runs an event until so many plies have been asked for.
fn run(program: &Path, plies: usize, pause: Duration, viewers: usize) -> Measured {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("load.toml"), event()).expect("written");
    let (referee, page, address) = start(program, folder.path());
    let load = Arc::new(Load {
        asked: AtomicUsize::new(0),
        plies,
        pause,
    });
    let (enough, is_enough) = channel();
    let links: Vec<_> = (0..2 * GAMES)
        .map(|number| sign_on(address, number))
        .collect();
    let players: Vec<_> = links
        .into_iter()
        .enumerate()
        .map(|(number, link)| {
            let (enough, load) = (enough.clone(), Arc::clone(&load));
            let builder = thread::Builder::new().stack_size(STACK);
            let player = move || play(link, number, &load, &enough);
            builder.spawn(player).expect("a thread")
        })
        .collect();
    let viewers: Vec<_> = (0..viewers).map(|_| view(page)).collect();
    let started = Instant::now();
    let spent = || processor_time(&referee.id().to_string(), Whose::Own);
    let before = spent();
    is_enough.recv().expect("players");
    let (spent, wall) = (spent() - before, started.elapsed());
    let plies = load.asked.load(Ordering::Relaxed);
    finish(program, folder.path(), referee);
    for player in players {
        player.join().expect("no complaints");
    }
    let viewed = viewers.into_iter();
    let viewed = viewed.map(|viewer| viewer.join().expect("no complaints"));
    let (lags, results) = read(&folder.path().join("load/events.jsonl"));
    Measured {
        plies,
        wall,
        spent,
        lags,
        results,
        viewed: viewed.sum(),
    }
}

fn event() -> String {
    let head = format!(
        "event = \"Load\"\nhttp = \"127.0.0.1:0\"\ntime_control = \"60+1\"\ngames_per_pairing = 1\nconcurrency = {GAMES}\n\
         [delays]\nreset = \"0s\"\nconclude = \"0s\"\n"
    );
    (0..2 * GAMES).fold(head, |text, number| {
        text + &format!("[[player]]\nname = \"P{number}\"\n")
    })
}

/// Starts the referee; returns where its page is, and where it listens.
fn start(program: &Path, folder: &Path) -> (Child, SocketAddr, SocketAddr) {
    let child = Command::new(program)
        .args(["run", "load.toml"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn();
    let mut child = child.expect("the referee");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut address = |begin: &str| {
        let line = lines.next().expect("a line").expect("a line");
        let address = line.strip_prefix(begin).expect("an address");
        address.trim_end_matches('/').parse().expect("an address")
    };
    let page = address("watch the games at http://");
    let address = address("listening on ");
    // What it says has to be read.
    thread::spawn(move || lines.count());
    (child, page, address)
}

/// Follows the stream of events to its end; returns how much there was of it, in bytes.
fn view(page: SocketAddr) -> thread::JoinHandle<usize> {
    let mut stream = TcpStream::connect(page).expect("a page");
    let request = b"GET /api/stream HTTP/1.1\r\nHost: here\r\n\r\n";
    stream.write_all(request).expect("sent");
    let builder = thread::Builder::new().stack_size(STACK);
    let viewer = move || {
        let mut buffer = [0; 16 << 10];
        let mut length = 0;
        while let Ok(read @ 1..) = stream.read(&mut buffer) {
            length += read;
        }
        length
    };
    builder.spawn(viewer).expect("a thread")
}

fn finish(program: &Path, folder: &Path, mut referee: Child) {
    let quit = Command::new(program)
        .args(["control", "load", "quit"])
        .current_dir(folder)
        .stdout(Stdio::null())
        .status();
    assert!(quit.expect("the order").success());
    let status = referee.wait().expect("waited for");
    assert_eq!(status.code(), Some(3));
}

fn sign_on(address: SocketAddr, number: usize) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("the referee listens");
    stream.set_nodelay(true).expect("a socket");
    let fields = Position::start().setup().fields();
    let line = format!("{fields} refreq sign_on; tcsi \"\" \"P{number}\";\n");
    stream.write_all(line.as_bytes()).expect("sent");
    stream
}

/// A player that moves at random until it is sent away.
fn play(mut stream: TcpStream, number: usize, load: &Load, enough: &Sender<()>) {
    let mut rng = StdRng::seed_from_u64(number as u64);
    let lines = BufReader::new(stream.try_clone().expect("a socket")).lines();
    for line in lines.map_while(Result::ok) {
        let record: epd::Record = line.parse().expect(&line);
        let content = match Order::read(&record).expect(&line) {
            Order::Respond(content) => content,
            Order::Disconnect(_) => return,
            _ => continue,
        };
        let mut position = content.position.expect("a position");
        if let Some(mv) = content.supplied_move() {
            position.play(mv);
        }
        let mut reply = Message::at(&position);
        if let Some(&mv) = position.legal_moves().choose(&mut rng) {
            reply = reply.playing(mv);
        }
        if !load.pause.is_zero() {
            thread::sleep(load.pause.mul_f64(rng.random_range(0.0..2.0)));
        }
        let line = line_of(&Request::Reply(reply).record());
        if stream.write_all(line.as_bytes()).is_err() {
            return;
        }
        if load.asked.fetch_add(1, Ordering::Relaxed) == load.plies {
            enough.send(()).expect("waited for");
        }
    }
}

/// What the stream of events says: how late the referee was at each move, and how many games ended.
fn read(path: &Path) -> (Vec<f64>, usize) {
    let text = fs::read_to_string(path).expect("events");
    let events = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let (mut lags, mut results) = (Vec::new(), 0);
    for event in events {
        match event["event"].as_str() {
            Some("move") => lags.extend(event["lag_ms"].as_f64()),
            Some("result") => {
                results += 1;
                assert!(event["verdict"].is_null(), "{event}");
            }
            _ => {}
        }
    }
    lags.sort_by(f64::total_cmp);
    (lags, results)
}
