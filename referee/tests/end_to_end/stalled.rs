//! Players behind a proxy that stalls: their connections stay open, but nothing passes any more.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::player::{Answer, Link, random, spawn};
use crate::common::{Referee, event};
use epd::protocol::Message;
use movegen::Game;

const PING: &str = "[rules]\nping = \"2s\"\n";

/// Forwards connections to a referee. Those that are open when it stalls stay open, and what they bring
/// is taken and kept; new ones are forwarded again.
struct Proxy {
    address: SocketAddr,
    /// How often it has stalled.
    stalls: Arc<AtomicUsize>,
}

impl Proxy {
    fn to(referee: SocketAddr) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        let stalls = Arc::<AtomicUsize>::default();
        let current = Arc::clone(&stalls);
        thread::spawn(move || {
            for player in listener.incoming().map_while(Result::ok) {
                let referee = TcpStream::connect(referee).expect("the referee listens");
                let twin = |stream: &TcpStream| stream.try_clone().expect("a stream");
                for (from, to) in [(twin(&player), twin(&referee)), (referee, player)] {
                    let stalls = Arc::clone(&current);
                    thread::spawn(move || forward(from, to, &stalls));
                }
            }
        });
        Self { address, stalls }
    }

    fn stall(&self) {
        self.stalls.fetch_add(1, Ordering::SeqCst);
    }
}

fn forward(mut from: TcpStream, mut to: TcpStream, stalls: &AtomicUsize) {
    let opened = stalls.load(Ordering::SeqCst);
    let is_stalled = || stalls.load(Ordering::SeqCst) > opened;
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if !is_stalled() && to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    // A stalled proxy does not tell one end that the other has gone.
    if !is_stalled() {
        let _ = to.shutdown(Shutdown::Both);
    }
    std::mem::forget((from, to));
}

/// `epode client`, which ends with the test.
struct Client(Child);

impl Client {
    fn start(address: SocketAddr, name: &str) -> Option<Self> {
        let child = Command::new(crate::common::epode()?)
            .args(["client", &address.to_string(), "--name", name])
            .args(["--reconnect", "--overhead", crate::common::OVERHEAD])
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        Some(Self(child.expect("it starts")))
    }

    /// Waits for its end; returns what it told.
    fn ends(mut self) -> String {
        crate::common::read_all(self.0.stderr.take().expect("piped"))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Plays at random, and tells when it has moved so many times.
fn telling(
    moves: usize,
    seed: u64,
) -> (
    impl FnMut(&Game, &Message) -> Answer + Send + 'static,
    std::sync::mpsc::Receiver<()>,
) {
    let (sender, told) = std::sync::mpsc::channel();
    let mut play = random(seed);
    let mut count = 0;
    let policy = move |game: &Game, content: &Message| {
        count += 1;
        if count == moves {
            let _ = sender.send(());
        }
        play(game, content)
    };
    (policy, told)
}

/// Both ends notice that nothing passes any more: the referee frees the seat, the client leaves the dead
/// connection, comes back with nothing but its name, and the game goes on.
#[test]
fn a_client_behind_a_proxy_that_stalls() {
    let settings = format!(
        "format = \"match\"\ngames_per_pairing = 1\n{}",
        crate::common::CLOCK
    );
    let mut referee = Referee::run(&event(&settings, PING, &["Ann", "Bob"]));
    let proxy = Proxy::to(referee.address());
    let Some(ann) = Client::start(proxy.address, "Ann") else {
        return;
    };
    let (policy, told) = telling(3, 1);
    let bob = spawn(referee.address(), "Bob", policy);
    told.recv_timeout(crate::common::LIMIT)
        .expect("a third move");
    proxy.stall();
    let stalled = Instant::now();
    referee.wait_for_output("Ann does not answer");
    let freed = stalled.elapsed();
    bob.join().expect("no complaints");
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    let said = ann.ends();
    assert!(
        said.starts_with("epode: nothing has come for 6s\nepode: connection lost; reconnecting\n"),
        "{said}"
    );
    let game = referee.games().remove(0);
    game.check_to_the_end();
    assert_eq!(game.tag("Termination"), "normal");
    // Two seconds of silence, and 1.6 s for the answer; the rest is for a busy machine.
    println!("out of the seat after {freed:?}");
    assert!(freed < Duration::from_secs(10), "{freed:?}");
    assert_eq!(referee.output().matches("Ann connected").count(), 2);
}

/// Whoever takes the place of a player on a dead connection needs no token, only a little patience.
#[test]
fn a_seat_behind_a_proxy_that_stalls() {
    let text = event(
        "format = \"match\"\ngames_per_pairing = 1",
        PING,
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run(&text);
    let proxy = Proxy::to(referee.address());
    let mut dead = Link::open(proxy.address);
    dead.request(
        &movegen::Position::start(),
        "Ping; refreq sign_on; tcsi \"\" \"Ann\";",
    );
    assert_eq!(dead.command().expect("an answer").message().ping, Some(2));
    proxy.stall();
    let mut early = Link::open(proxy.address);
    early.sign_on("Ann");
    assert_eq!(early.farewell().as_deref(), Some("this name is in use"));
    referee.wait_for_output("Ann does not answer");
    let ann = spawn(proxy.address, "Ann", random(1));
    let bob = spawn(referee.address(), "Bob", random(2));
    for player in [ann, bob] {
        player.join().expect("no complaints");
    }
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    referee.games()[0].check_to_the_end();
}
