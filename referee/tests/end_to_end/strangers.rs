//! Strangers hold connections, send junk and guess passwords while two honest players sign on and play.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::common::player::{Answer, Link, Scripted, Transcript, random};
use crate::common::{Referee, event};
use epd::protocol::Message;
use movegen::Game;
use socket2::{Domain, Socket, Type};

const PASSWORD: &str = "open sesame";
/// How often strangers do their share.
const TICK: Duration = Duration::from_millis(10);
/// How many junk lines a stranger sends on one connection.
const LINES: u64 = 100;

/// What strangers try to do: so many connections at once, and so many lines and guesses a second.
#[derive(Clone, Copy)]
struct Flood {
    held: usize,
    lines: u64,
    guesses: u64,
}

/// What they did.
#[derive(Default)]
struct Done {
    opened: AtomicU64,
    lines: AtomicU64,
    guesses: AtomicU64,
}

/// Strangers at work, until this value goes.
struct Strangers {
    stop: Vec<Sender<()>>,
    threads: Vec<JoinHandle<()>>,
    done: Arc<Done>,
}

impl Strangers {
    fn start(address: SocketAddr, flood: Flood) -> Self {
        let done = Arc::<Done>::default();
        let mut strangers = Self {
            stop: Vec::new(),
            threads: Vec::new(),
            done: Arc::clone(&done),
        };
        let mut held: Vec<Option<TcpStream>> = (0..flood.held).map(|_| None).collect();
        let counts = Arc::clone(&done);
        strangers.work(move |_, _| {
            for stream in held.iter_mut().filter(|stream| is_closed(stream.as_ref())) {
                *stream = connect(address, 1);
                counts.opened.fetch_add(1, Ordering::Relaxed);
            }
        });
        let junk = "junk \u{7f}\n".repeat(LINES as usize);
        let counts = Arc::clone(&done);
        strangers.work(move |time, n| {
            while counts.lines.load(Ordering::Relaxed) < due(flood.lines, time) {
                if let Some(mut stream) = connect(address, n) {
                    // It may have been shown the door.
                    let _ = stream.write_all(junk.as_bytes());
                }
                counts.lines.fetch_add(LINES, Ordering::Relaxed);
            }
        });
        // One alone cannot connect so often.
        for _ in 0..3 {
            let counts = Arc::clone(&done);
            strangers.work(move |time, n| {
                while counts.guesses.load(Ordering::Relaxed) < due(flood.guesses, time) {
                    let count = counts.guesses.fetch_add(1, Ordering::Relaxed);
                    if let Some(stream) = connect(address, n + count) {
                        guess(stream, count);
                    }
                }
            });
        }
        // They are all there before the players come.
        strangers.wait_for_all(flood.held);
        strangers
    }

    /// Lets a stranger work again and again. It gets the time since its beginning and a number that
    /// changes.
    fn work(&mut self, mut share: impl FnMut(Duration, u64) + Send + 'static) {
        let (stop, stopped) = channel();
        let begin = Instant::now();
        self.stop.push(stop);
        self.threads.push(thread::spawn(move || {
            for n in 0.. {
                share(begin.elapsed(), n);
                if stopped.recv_timeout(TICK) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
        }));
    }

    /// Waits until all those who hold connections have come.
    fn wait_for_all(&self, held: usize) {
        let begin = Instant::now();
        while self.done.opened.load(Ordering::Relaxed) < held as u64 {
            assert!(begin.elapsed() < crate::common::LIMIT, "they do not come");
            thread::yield_now();
        }
    }

    /// Stops them; returns what they did.
    fn stop(mut self) -> Arc<Done> {
        self.stop.clear();
        for thread in self.threads.drain(..) {
            thread.join().expect("a stranger");
        }
        Arc::clone(&self.done)
    }
}

/// What is due after a time at a rate a second.
fn due(rate: u64, time: Duration) -> u64 {
    (time.as_secs_f64() * rate as f64) as u64
}

/// Connects from one of many addresses: one alone would soon have no ports left. The kernel may be busy.
fn connect(address: SocketAddr, n: u64) -> Option<TcpStream> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).ok()?;
    let host = 2 + (n % 250) as u8;
    let from = SocketAddr::from(([127, 0, 0, host], 0));
    socket.bind(&from.into()).ok()?;
    socket
        .connect_timeout(&address.into(), crate::common::LIMIT)
        .ok()?;
    Some(socket.into())
}

fn is_closed(stream: Option<&TcpStream>) -> bool {
    stream.is_none_or(|mut stream| {
        let _ = stream.set_nonblocking(true);
        let read = stream.read(&mut [0; 512]);
        !read.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
    })
}

fn guess(mut stream: TcpStream, count: u64) {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let line = format!("{start} Auth \"{count}\"; refreq sign_on; tcsi \"\" \"Ann\";\n");
    // It may have been shown the door.
    let _ = stream.write_all(line.as_bytes());
}

/// A player that comes until it is let in, and then takes a little time for each move; and how often it
/// had to come.
fn honest(address: SocketAddr, name: &'static str, seed: u64) -> JoinHandle<(usize, Transcript)> {
    let wait = Duration::from_millis(20);
    let (keep, never): (Sender<()>, Receiver<()>) = channel();
    thread::spawn(move || {
        for attempt in 1.. {
            let mut moves = random(seed);
            let paced = |game: &Game, content: &Message| {
                let _ = never.recv_timeout(wait);
                if game.moves().len() > 120 {
                    return Answer::Reply("resign;".to_owned());
                }
                moves(game, content)
            };
            let player = Scripted::new(name, paced).with_secret(PASSWORD);
            let transcript = player.play(Link::open(address));
            if transcript.farewell.as_deref() == Some("the event is over") {
                drop(keep);
                return (attempt, transcript);
            }
            assert_eq!(transcript.farewell.as_deref(), Some("too many connections"));
        }
        unreachable!("it comes until it is let in")
    })
}

/// What an event was like for its players.
struct Conduct {
    /// The lag of all moves in milliseconds, sorted.
    lags: Vec<f64>,
    time: Duration,
    /// The size of all logs.
    logged: u64,
    /// How often the players had to come.
    attempts: usize,
}

impl Conduct {
    fn lag(&self, part: f64) -> f64 {
        self.lags[((self.lags.len() - 1) as f64 * part) as usize]
    }

    fn describe(&self, name: &str) {
        let minute = self.logged as f64 / 1024.0 * 60.0 / self.time.as_secs_f64();
        println!(
            "{name}: {} moves in {:.1?}, lag {:.2} ms median, {:.2} ms at 99 %, {:.2} ms at most; \
             {} KiB of logs, {minute:.0} a minute; {} sign-ons for 2 players",
            self.lags.len(),
            self.time,
            self.lag(0.5),
            self.lag(0.99),
            self.lag(1.0),
            self.logged >> 10,
            self.attempts
        );
    }
}

/// Where the strangers of an event are.
#[derive(Clone, Copy)]
enum Place {
    Nowhere,
    Here(Flood),
    /// At another referee on the same machine.
    Elsewhere(Flood),
}

/// Plays an event of so many games.
fn conduct(games: usize, place: Place) -> (Conduct, Option<Arc<Done>>) {
    let settings =
        format!("format = \"match\"\ngames_per_pairing = {games}\ntime_control = \"600\"");
    let text = event(&settings, "", &["Ann", "Bob"]);
    let secret = [("secret", PASSWORD)];
    let mut referee = Referee::run_with(&text, &secret, &["--password-file", "secret"]);
    let other = matches!(place, Place::Elsewhere(_))
        .then(|| Referee::run_with(&text, &secret, &["--password-file", "secret"]));
    let begin = Instant::now();
    let target = other.as_ref().unwrap_or(&referee).address();
    let strangers = match place {
        Place::Nowhere => None,
        Place::Here(flood) | Place::Elsewhere(flood) => Some(Strangers::start(target, flood)),
    };
    let address = referee.address();
    let players = [("Ann", 1), ("Bob", 2)].map(|(name, seed)| honest(address, name, seed));
    let attempts = players.map(|player| player.join().expect("no complaints").0);
    let time = begin.elapsed();
    let done = strangers.map(Strangers::stop);
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    let played = referee.games();
    assert_eq!(played.len(), games);
    for game in &played {
        game.check();
        assert_eq!(game.tag("Termination"), "normal", "{game:?}");
    }
    let moves = referee.events_of("move");
    let mut lags: Vec<_> = moves
        .iter()
        .map(|event| event["lag_ms"].as_f64().expect("a number"))
        .collect();
    lags.sort_by(f64::total_cmp);
    let logs = ["records.log", "events.jsonl"].map(|name| referee.read(name).len() as u64);
    let logged = logs.iter().sum::<u64>() + referee.output().len() as u64;
    let attempts = attempts.iter().sum();
    let conduct = Conduct {
        lags,
        time,
        logged,
        attempts,
    };
    (conduct, done)
}

/// Plays the same event in quiet and among strangers.
fn among_strangers(games: usize, flood: Flood) -> [Conduct; 2] {
    // This process needs as many sockets as the referee.
    let _ = referee::io::limits::descriptors();
    let (quiet, _) = conduct(games, Place::Nowhere);
    quiet.describe("quiet");
    let (loud, done) = conduct(games, Place::Here(flood));
    loud.describe("among strangers");
    let done = done.expect("strangers");
    let seconds = loud.time.as_secs_f64();
    let rate = |count: &AtomicU64| count.load(Ordering::Relaxed) as f64 / seconds;
    println!(
        "{} connections held; a second {:.0} opened again, {:.0} lines, {:.0} guesses",
        flood.held,
        rate(&done.opened),
        rate(&done.lines),
        rate(&done.guesses)
    );
    // The logs of the games themselves are the same in both.
    let more = loud.logged.saturating_sub(quiet.logged) as f64 * 60.0 / seconds;
    println!(
        "{:.0} KiB of logs a minute because of strangers",
        more / 1024.0
    );
    assert!(more < 1e6, "{more} bytes a minute");
    [quiet, loud]
}

#[test]
fn a_few_strangers() {
    let flood = Flood {
        held: 200,
        lines: 1000,
        guesses: 300,
    };
    among_strangers(1, flood);
}

/// `cargo test --release -p epode-referee --test end_to_end strangers -- --ignored --nocapture`
///
/// 2026-11-23, on two cores that others used too: the referee let in 2,429 guesses a second, the rest waited
/// at its door. Both players came in at once. Lag of 2,353 moves in quiet: 0.02 ms in the median, 0.07 to
/// 0.16 ms at 99 %; among strangers: 0.02 ms and 0.16 ms. Before strangers took turns (`io/inbox.rs`) it was
/// 12.42 ms at 99 %. Strangers added 310 KiB to the logs in a minute.
#[test]
#[ignore = "takes five minutes"]
fn thousands_of_strangers() {
    let flood = Flood {
        held: 2000,
        lines: 10_000,
        guesses: 5000,
    };
    let [quiet, loud] = among_strangers(20, flood);
    // What the strangers cost the machine, whomever they visit.
    let (elsewhere, _) = conduct(20, Place::Elsewhere(flood));
    elsewhere.describe("strangers at another referee");
    // Half a millisecond is what other programs of the machine may cost.
    for part in [0.5, 0.99] {
        assert!(loud.lag(part) < 2.0 * quiet.lag(part) + 0.5, "{part}");
    }
}
