//! The program as an engine under an interface, over pipes.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;

/// How long an engine may take to end; only a failure takes that long.
const PATIENCE: Duration = Duration::from_mins(1);

/// The engine, with line input and output.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Engine {
    pub fn start(verb: &str) -> Self {
        let mut child = Command::new(cargo_bin!("epode"))
            .arg(verb)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("started");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Self {
            input: child.stdin.take(),
            child,
            output,
        }
    }

    pub fn say(&mut self, lines: &str) {
        let input = self.input.as_mut().expect("open");
        writeln!(input, "{lines}").expect("it listens");
    }

    /// The lines up to one that begins with a word.
    pub fn until(&mut self, word: &str) -> Vec<String> {
        self.until_where(|line| line.split_whitespace().next() == Some(word))
    }

    /// The lines up to this one.
    pub fn until_line(&mut self, last: &str) -> Vec<String> {
        self.until_where(|line| line == last)
    }

    /// The lines up to one that passes a test.
    pub fn until_where(&mut self, is_last: impl Fn(&str) -> bool) -> Vec<String> {
        let mut said = Vec::new();
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("text");
            assert!(read > 0, "the engine has ended after {said:?}");
            said.push(line.trim_end().to_owned());
            if is_last(line.trim_end()) {
                return said;
            }
        }
    }

    /// The answer to `go`: the lines before `bestmove`, and the move.
    pub fn ask(&mut self, question: &str) -> (Vec<String>, String) {
        self.say(question);
        self.answer()
    }

    pub fn answer(&mut self) -> (Vec<String>, String) {
        let mut said = self.until("bestmove");
        let best = said.pop().expect("the last line");
        let best = best.split(' ').nth(1).expect("a move").to_owned();
        (said, best)
    }

    /// Ends by `quit` although its input stays open; true if with success.
    pub fn quits(mut self) -> bool {
        self.say("quit");
        let (sender, ended) = channel();
        let mut output = self.output;
        // A failure to read shows in the missing end.
        thread::spawn(move || io::copy(&mut output, &mut io::sink()).map(|_| sender.send(())));
        let has_ended = ended.recv_timeout(PATIENCE).is_ok();
        if !has_ended {
            let _ = self.child.kill();
        }
        self.child.wait().expect("it ends").success() && has_ended
    }

    /// Ends by itself; true if with success.
    pub fn ends(mut self) -> bool {
        self.input = None;
        self.child.wait().expect("it ends").success()
    }
}
