//! A scripted referee, and the program as its player.
//!
//! Nothing here sleeps or waits forever: a missing message fails the test.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use epd::Record;
use epd::protocol::{Command as Order, Message, Request};
use movegen::Position;

use super::Folder;

/// The time limit of every wait; only a failure takes that long.
const PATIENCE: Duration = Duration::from_mins(1);

/// A server that accepts any connection.
pub struct Server {
    address: String,
    came: Receiver<TcpStream>,
}

impl Server {
    pub fn new() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let (sender, came) = channel();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if sender.send(stream).is_err() {
                    break;
                }
            }
        });
        Self { address, came }
    }

    /// Where it listens.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Starts a player that connects to this server.
    pub fn player(&self, folder: &Folder, options: &str) -> Player {
        Player::start(folder, &format!("{} {options}", self.address))
    }

    /// Waits for a connection and its sign-on.
    pub fn accept(&self) -> Peer {
        let peer = self.connection();
        peer.hear_sign_on();
        peer
    }

    /// Waits for a connection.
    pub fn connection(&self) -> Peer {
        let stream = self.came.recv_timeout(PATIENCE).expect("a connection");
        let read = stream.try_clone().expect("a stream");
        let write = stream.try_clone().expect("a stream");
        Peer::new(read, write, Some(stream))
    }

    pub fn nobody_came(&self) -> bool {
        self.came.try_recv().is_err()
    }
}

/// The other end of a connection.
pub struct Peer {
    lines: Receiver<String>,
    write: Box<dyn Write>,
    socket: Option<TcpStream>,
}

impl Peer {
    pub fn new(
        read: impl Read + Send + 'static,
        write: impl Write + 'static,
        socket: Option<TcpStream>,
    ) -> Self {
        let (sender, lines) = channel();
        thread::spawn(move || {
            let lines = BufReader::new(read).lines();
            for line in lines.map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let write = Box::new(write);
        Self {
            lines,
            write,
            socket,
        }
    }

    pub fn send(&mut self, bytes: &[u8]) {
        self.write.write_all(bytes).expect("sent");
        self.write.flush().expect("sent");
    }

    /// Sends a record at a position.
    pub fn say(&mut self, fields: &str, operations: &str) {
        self.send(format!("{fields} {operations}\n").as_bytes());
    }

    /// Sends a command.
    pub fn order(&mut self, order: &Order) {
        self.send(format!("{}\n", order.record()).as_bytes());
    }

    /// Sends a respond command for a position.
    pub fn ask(&mut self, position: &Position) {
        self.order(&Order::Respond(Message::with_counters(position)));
    }

    /// The next line, whatever it is.
    pub fn hear(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("a line")
    }

    /// The next request, which must be exact.
    pub fn hear_request(&self) -> Request {
        let line = self.hear();
        let record: Record = line.parse().expect(&line);
        Request::read(&record).expect(&line)
    }

    pub fn hear_sign_on(&self) {
        let request = self.hear_request();
        assert!(matches!(request, Request::SignOn(_)), "{request:?}");
    }

    /// The next request, which must be a reply.
    pub fn hear_reply(&self) -> Message {
        match self.hear_request() {
            Request::Reply(content) => content,
            other => panic!("no reply: {other:?}"),
        }
    }

    /// The words of the next request, which must be a fault.
    pub fn hear_fault(&self) -> String {
        match self.hear_request() {
            Request::Fault(content) => content.text.expect("words").into(),
            other => panic!("no fault: {other:?}"),
        }
    }

    /// Waits until the player has closed the connection without another request.
    pub fn hear_end(&self) {
        let next = self.lines.recv_timeout(PATIENCE);
        assert_eq!(next, Err(std::sync::mpsc::RecvTimeoutError::Disconnected));
    }

    pub fn close(self) {
        if let Some(socket) = &self.socket {
            socket.shutdown(Shutdown::Both).expect("open");
        }
    }
}

/// A running player, which ends with the test.
pub struct Player {
    child: Child,
    messages: Receiver<String>,
}

impl Player {
    /// Starts `epode client` with these options, in which words may stand in single quotes.
    pub fn start(folder: &Folder, options: &str) -> Self {
        let mut command = Command::new(cargo_bin!("epode"));
        command.current_dir(folder.path(""));
        command.env("RUST_BACKTRACE", "1");
        command.arg("client");
        for (i, part) in options.split('\'').enumerate() {
            match i % 2 {
                0 => command.args(part.split_whitespace()),
                _ => command.arg(part),
            };
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().expect("started");
        let mut stderr = child.stderr.take().expect("a stream");
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut text = String::new();
            // Invalid text is a failure, which the test notices by the missing end.
            if stderr.read_to_string(&mut text).is_ok() {
                let _ = sender.send(text);
            }
        });
        Self { child, messages }
    }

    /// Its standard streams as a connection.
    pub fn streams(&mut self) -> Peer {
        let read = self.child.stdout.take().expect("a stream");
        let write = self.child.stdin.take().expect("a stream");
        Peer::new(read, write, None)
    }

    /// Ctrl-C.
    #[cfg(unix)]
    pub fn interrupt(&self) {
        super::interrupt(&self.child);
    }

    /// Waits for the end; returns the exit status and the messages.
    pub fn ends(mut self) -> (i32, String) {
        let messages = self.messages.recv_timeout(PATIENCE).expect("an end");
        assert!(!messages.contains("panicked"), "{messages}");
        let status = self.child.wait().expect("ended").code();
        (status.expect("a status"), messages)
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
