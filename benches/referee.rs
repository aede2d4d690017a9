//! The load on the referee: 200 games at once between 400 players that move at random.
//!
//! Printed are the plies, the processor time of the referee for each of them, and how late it was.
//! No game may be lost on time or by a fault. The referee's program is built by
//! `cargo build --release -p epode-referee`, or is the one named in `EPODE_REFEREE`.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Instant;

use epd::protocol::{Command as Order, Message, Request, frame::line_of};
use epode_benches::{Whose, processor_time};
use movegen::Position;
use rand::seq::IndexedRandom;
use rand::{SeedableRng, rngs::StdRng};

const GAMES: usize = 200;
const PLIES: usize = 60_000;

static ASKED: AtomicUsize = AtomicUsize::new(0);

fn main() {
    let Some(program) = epode_benches::program("epode-referee", "EPODE_REFEREE") else {
        println!("skipped: no epode-referee, cargo build --release -p epode-referee makes one");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("load.toml"), event()).expect("written");
    let (referee, address) = start(&program, folder.path());
    let (enough, is_enough) = channel();
    let links: Vec<_> = (0..2 * GAMES)
        .map(|number| sign_on(address, number))
        .collect();
    let players: Vec<_> = links
        .into_iter()
        .enumerate()
        .map(|(number, link)| {
            let enough = enough.clone();
            let builder = thread::Builder::new().stack_size(256 << 10);
            let player = move || play(link, number, &|| enough.send(()).expect("waited for"));
            builder.spawn(player).expect("a thread")
        })
        .collect();
    let started = Instant::now();
    let spent = || processor_time(&referee.id().to_string(), Whose::Own);
    let before = spent();
    is_enough.recv().expect("players");
    let (spent, wall) = (spent() - before, started.elapsed());
    let plies = ASKED.load(Ordering::Relaxed);
    finish(&program, folder.path(), referee);
    for player in players {
        player.join().expect("no complaints");
    }
    println!(
        "{GAMES} games at once: {plies} plies in {:.1} s",
        wall.as_secs_f64()
    );
    let each = 1e6 * spent / plies as f64;
    println!("processor time of the referee: {each:.1} us a ply");
    report(&folder.path().join("load/events.jsonl"));
}

fn event() -> String {
    let head = format!(
        "event = \"Load\"\ntime_control = \"60+1\"\ngames_per_pairing = 1\nconcurrency = {GAMES}\n\
         [delays]\nreset = \"0s\"\nconclude = \"0s\"\n"
    );
    (0..2 * GAMES).fold(head, |text, number| {
        text + &format!("[[player]]\nname = \"P{number}\"\n")
    })
}

fn start(program: &Path, folder: &Path) -> (Child, SocketAddr) {
    let child = Command::new(program)
        .args(["run", "load.toml"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn();
    let mut child = child.expect("the referee");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let first = lines.next().expect("a line").expect("a line");
    let address = first.strip_prefix("listening on ").expect("an address");
    // What it says has to be read.
    thread::spawn(move || lines.count());
    (child, address.parse().expect("an address"))
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

/// A player that moves at random, at once, until it is sent away.
fn play(mut stream: TcpStream, number: usize, enough: &dyn Fn()) {
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
        let line = line_of(&Request::Reply(reply).record());
        if stream.write_all(line.as_bytes()).is_err() {
            return;
        }
        if ASKED.fetch_add(1, Ordering::Relaxed) == PLIES {
            enough();
        }
    }
}

/// What the stream of events says: how late the referee was, and that nothing went wrong.
fn report(path: &Path) {
    let text = fs::read_to_string(path).expect("events");
    let events = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let (mut lags, mut results, mut faults) = (Vec::new(), 0, 0);
    for event in events {
        match event["event"].as_str() {
            Some("move") => lags.extend(event["lag_ms"].as_f64()),
            Some("result") => {
                results += 1;
                faults += usize::from(event["verdict"].is_string());
            }
            _ => {}
        }
    }
    lags.sort_by(f64::total_cmp);
    let part = |part: usize| lags[lags.len() * part / 1000];
    println!(
        "lag of the referee: median {:.2} ms, 99 % {:.2} ms, 99.9 % {:.2} ms",
        part(500),
        part(990),
        part(999)
    );
    println!("{results} games over, {faults} of them by forfeit");
    assert_eq!(faults, 0);
}
