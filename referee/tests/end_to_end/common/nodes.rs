//! Referees and observers that share a folder for their events, and a network between them that can be cut.

use std::fs;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::{LIMIT, PROGRAM};

/// The observer's token in these tests.
pub const TOKEN: &str = "0123456789abcdef";

/// `[observer]` of an event file, with more settings.
pub fn observer_table(settings: &str) -> String {
    let hash = referee::secret::Secret::of(TOKEN);
    format!("[observer]\ntoken = \"{hash}\"\n{settings}\n")
}

/// A folder with an event file and the observer's token.
pub fn home(event: &str) -> tempfile::TempDir {
    let home = tempfile::TempDir::new().expect("a folder");
    fs::write(home.path().join("cup.toml"), event).expect("written");
    fs::write(home.path().join("token"), TOKEN).expect("written");
    home
}

/// What a program has said.
#[derive(Default)]
struct Output {
    text: Mutex<String>,
    grown: Condvar,
}

impl Output {
    fn add(&self, line: &str) {
        let mut text = self.text.lock().expect("sound");
        text.push_str(line);
        text.push('\n');
        self.grown.notify_all();
    }
}

/// A referee or an observer, which ends with the test.
pub struct Node {
    child: Child,
    directory: PathBuf,
    output: Arc<Output>,
}

impl Node {
    /// Starts `run`.
    pub fn run(home: &Path) -> Self {
        Self::start(home, "cup", &["run", "cup.toml"])
    }

    /// Starts `resume` in a folder.
    pub fn resume(home: &Path, folder: &str) -> Self {
        Self::start(home, folder, &["resume", folder])
    }

    /// Starts an observer with its copy in a folder.
    pub fn observe(home: &Path, address: SocketAddr, folder: &str, options: &str) -> Self {
        let line = format!(
            "observe {address} --directory {folder} --token-file token --listen 127.0.0.1:0 {options}"
        );
        let words: Vec<_> = line.split_whitespace().collect();
        Self::start(home, folder, &words)
    }

    /// Starts the program, whose event is in `folder`.
    pub fn start(home: &Path, folder: &str, arguments: &[&str]) -> Self {
        let mut command = Command::new(PROGRAM);
        command.args(arguments).current_dir(home);
        command.env("RUST_BACKTRACE", "1").stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect(PROGRAM);
        let output = Arc::new(Output::default());
        listen(child.stdout.take().expect("piped"), &output);
        listen(child.stderr.take().expect("piped"), &output);
        Self {
            child,
            directory: home.join(folder),
            output,
        }
    }

    /// What it has said.
    pub fn said(&self) -> String {
        self.output.text.lock().expect("sound").clone()
    }

    /// Waits until it has said this; returns the rest of that line.
    #[track_caller]
    pub fn hear(&self, wanted: &str) -> String {
        let text = self.hear_any([wanted]);
        let (_, rest) = text.rsplit_once(wanted).expect("found");
        rest.lines().next().unwrap_or_default().to_owned()
    }

    /// Waits until it has said one of these; returns all that it has said.
    #[track_caller]
    pub fn hear_any<const N: usize>(&self, wanted: [&str; N]) -> String {
        let text = self.output.text.lock().expect("sound");
        let waiting = |text: &mut String| !wanted.iter().any(|wanted| text.contains(wanted));
        let waited = self.output.grown.wait_timeout_while(text, LIMIT, waiting);
        let (text, timeout) = waited.expect("sound");
        assert!(!timeout.timed_out(), "none of {wanted:?} in\n{text}");
        text.clone()
    }

    /// Where it listens.
    #[track_caller]
    pub fn address(&self) -> SocketAddr {
        let address = self.hear("listening on ");
        address.parse().expect("an address")
    }

    /// Where an observer will listen.
    #[track_caller]
    pub fn place(&self) -> SocketAddr {
        let address = self.hear("after a take-over: ");
        address.parse().expect("an address")
    }

    /// Waits until an observer has a complete copy.
    #[track_caller]
    pub fn follows(&self) -> &Self {
        self.hear("following ");
        self
    }

    /// A file of its event.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// The content of a file of its event.
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect(name)
    }

    /// Gives an order; returns the answer and the exit status.
    pub fn control(&self, order: &str) -> (String, i32) {
        let home = self.directory.parent().expect("a folder");
        let folder = self.directory.file_name().expect("a name");
        let folder = folder.to_string_lossy();
        super::program(home, &format!("control {folder} {order}"))
    }

    /// Kills it as a power cut would.
    pub fn kill(&mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("waited for");
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a process").is_some()
    }

    /// Waits for its end; returns the exit status.
    #[track_caller]
    pub fn wait(&mut self) -> i32 {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a process") {
                return status.code().unwrap_or(-1);
            }
            assert!(
                started.elapsed() < LIMIT,
                "it does not end:\n{}",
                self.said()
            );
            thread::yield_now();
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn listen(from: impl Read + Send + 'static, output: &Arc<Output>) {
    let output = Arc::clone(output);
    thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            output.add(&line);
        }
    });
}

/// Waits until something is so.
#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) -> Duration {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < LIMIT, "{what}");
        thread::yield_now();
    }
    started.elapsed()
}

/// A network between an observer and its referee, which can be cut without either noticing it at once.
pub struct Wire {
    address: SocketAddr,
    is_cut: Arc<(Mutex<bool>, Condvar)>,
}

impl Wire {
    /// Leads to an address.
    pub fn to(target: SocketAddr) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        let is_cut = Arc::new((Mutex::new(false), Condvar::new()));
        let cut = Arc::clone(&is_cut);
        thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                let cut = Arc::clone(&cut);
                thread::spawn(move || {
                    wait_while_cut(&cut);
                    // The target may have ended.
                    if let Ok(far) = TcpStream::connect(target) {
                        join(near, far, &cut);
                    }
                });
            }
        });
        Self { address, is_cut }
    }

    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// From now on nothing passes, and nobody is told.
    pub fn cut(&self) {
        *self.is_cut.0.lock().expect("sound") = true;
    }

    /// What waited passes.
    pub fn mend(&self) {
        *self.is_cut.0.lock().expect("sound") = false;
        self.is_cut.1.notify_all();
    }
}

fn wait_while_cut((is_cut, changed): &(Mutex<bool>, Condvar)) {
    let is_cut = is_cut.lock().expect("sound");
    drop(changed.wait_while(is_cut, |is_cut| *is_cut));
}

/// Passes on what comes from either side.
fn join(near: TcpStream, far: TcpStream, cut: &Arc<(Mutex<bool>, Condvar)>) {
    let pass = |mut from: TcpStream, mut to: TcpStream| {
        let cut = Arc::clone(cut);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = from.read(&mut bytes) {
                wait_while_cut(&cut);
                if to.write_all(&bytes[..count]).is_err() {
                    break;
                }
            }
            wait_while_cut(&cut);
            let _ = to.shutdown(Shutdown::Both);
        });
    };
    pass(
        near.try_clone().expect("a socket"),
        far.try_clone().expect("a socket"),
    );
    pass(far, near);
}
