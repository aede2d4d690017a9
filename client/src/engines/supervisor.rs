//! The child process of an engine: line input and output, and its termination with all processes that
//! it started.
//!
//! The standard library's process groups and one call of rustix do what process-wrap would, in fewer
//! lines, and a signal handler can end all engines without owning them.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};

use super::error_output::ErrorOutput;
use super::watchdog::Watchdog;
use crate::io::temporary;

/// The maximum length of a line in bytes; real engines print a few thousand at most.
const MAX_LINE: usize = 1 << 16;
/// The maximum number of unread lines; then the engine blocks.
const QUEUE: usize = 256;
/// How long an engine may take to exit after `quit`.
const LEAVE: Duration = Duration::from_millis(500);
/// How long an engine may take to exit after it closed a stream.
const DEATH: Duration = Duration::from_secs(1);
/// How often this is checked.
const TICK: Duration = Duration::from_millis(5);

/// The exit status that shells give a program ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Whether the user has interrupted the start of engines.
static ABANDONED: AtomicBool = AtomicBool::new(false);
/// Whether the program is about to exit and has killed its engines.
static EXITING: AtomicBool = AtomicBool::new(false);
/// The running engines, by the id of their process, which is also that of their process group.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Stops waiting for engines to start.
pub fn abandon_starts() {
    ABANDONED.store(true, Ordering::Relaxed);
}

/// Whether the user wants no more engines to be started.
pub fn starts_are_abandoned() -> bool {
    ABANDONED.load(Ordering::Relaxed)
}

/// Kills all engines and exits at once.
pub fn exit_at_once() -> ! {
    EXITING.store(true, Ordering::SeqCst);
    kill_engines();
    temporary::exit(INTERRUPTED)
}

/// Kills all engines, with all processes that they started.
pub fn kill_engines() {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    for &id in running.iter() {
        kill_group(id);
    }
}

/// Does not return while the program exits, so that killing an engine is not recorded as its failure.
fn wait_for_exit() {
    while EXITING.load(Ordering::SeqCst) {
        thread::park();
    }
}

/// Kills a process group: an engine and all processes that it started.
fn kill_group(id: u32) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(id as i32) {
        // It may have exited already.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = id;
}

/// A line of output, or the fact that a line is too long.
type Line = Result<String, LineTooLong>;

/// A line has more than [`MAX_LINE`] bytes.
#[derive(Debug)]
struct LineTooLong;

/// A running engine, which is terminated when this value is dropped.
pub struct Process {
    child: Child,
    input: ChildStdin,
    output: Receiver<Line>,
    error_output: ErrorOutput,
    /// Until the engine has ended.
    _watchdog: Option<Watchdog>,
}

impl Process {
    /// Starts a program by its path, or by a command line with the quotes of a shell.
    pub fn start(command: &str) -> anyhow::Result<(Self, String)> {
        let words = if Path::new(command).is_file() {
            vec![command.to_owned()]
        } else {
            shell_words::split(command)
                .with_context(|| format!("the command of the engine: {command}"))?
        };
        let (program, arguments) = words
            .split_first()
            .context("the command of the engine is empty")?;
        let mut command = Command::new(program);
        command.args(arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // In a group of its own, the engine does not receive Ctrl-C; it gets `quit` when we exit.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .spawn()
            .with_context(|| format!("cannot start the engine {program}"))?;
        let input = child.stdin.take().context("no input of the engine")?;
        let lines = child.stdout.take().context("no output of the engine")?;
        let errors = child.stderr.take();
        let errors = errors.context("no standard error of the engine")?;
        let (sender, output) = sync_channel(QUEUE);
        thread::spawn(move || forward_lines(lines, &sender));
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        running.push(child.id());
        drop(running);
        let process = Self {
            _watchdog: Watchdog::of(child.id()),
            child,
            input,
            output,
            error_output: ErrorOutput::collect(errors),
        };
        Ok((process, program.clone()))
    }

    /// The processor time of the engine so far, where the system provides it.
    pub fn processor_time(&self) -> Option<Duration> {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()?;
        let nanoseconds = threads.map_while(Result::ok).map(|thread| {
            // The first number is the run time of the thread (proc(5)).
            let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
            text.split_whitespace().next()?.parse::<u64>().ok()
        });
        nanoseconds.sum::<Option<u64>>().map(Duration::from_nanos)
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> anyhow::Result<()> {
        writeln!(self.input, "{line}").map_err(|error| {
            wait_for_exit();
            match error.kind() {
                io::ErrorKind::BrokenPipe => self.death(),
                _ => anyhow!("takes no input: {error}"),
            }
        })
    }

    /// The next line; none if it does not come within this time.
    pub fn receive(&mut self, patience: Duration) -> anyhow::Result<Option<String>> {
        match self.output.recv_timeout(patience) {
            Ok(Ok(line)) => Ok(Some(line)),
            Ok(Err(LineTooLong)) => {
                bail!("prints more than {} KiB without a line end", MAX_LINE >> 10)
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                wait_for_exit();
                Err(self.death())
            }
        }
    }

    /// Kills a process that hangs and all those that it started. Returns what it last wrote to standard
    /// error, if anything.
    pub fn kill(&mut self) -> Option<String> {
        kill_group(self.child.id());
        // It may have ended just now.
        let _ = self.child.kill();
        self.error_output.last_lines()
    }

    /// How the engine ended, as far as it can be told.
    fn death(&mut self) -> anyhow::Error {
        let mut text = match self.exit_status(DEATH) {
            Some(status) => format!("has ended ({status})"),
            None => "has closed its input or output".to_owned(),
        };
        if let Some(lines) = self.error_output.last_lines() {
            text = format!("{text}: {lines}");
        }
        anyhow!(text)
    }

    /// The exit status of the process; none if it does not exit within this time.
    fn exit_status(&mut self, patience: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < until => thread::sleep(TICK),
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = writeln!(self.input, "quit");
        self.exit_status(LEAVE);
        let id = self.child.id();
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain(|&other| other != id);
        drop(running);
        kill_group(id);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Passes on lines, up to one that is too long.
fn forward_lines(output: impl Read, lines: &SyncSender<Line>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut output)
            .take(MAX_LINE as u64)
            .read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return;
        }
        let is_whole = line.ends_with(b"\n") || line.len() < MAX_LINE;
        let received = if is_whole {
            Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
        } else {
            Err(LineTooLong)
        };
        if lines.send(received).is_err() || !is_whole {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_bounded() {
        let long = "x".repeat(MAX_LINE - 1);
        let text = format!("a\r\n{long}\nb\n{long}x and more\nc\n");
        let (sender, lines) = sync_channel(QUEUE);
        forward_lines(text.as_bytes(), &sender);
        drop(sender);
        let received: Vec<_> = lines.into_iter().map(Result::ok).collect();
        let expected = [Some("a"), Some(&long), Some("b"), None];
        assert_eq!(received, expected.map(|line| line.map(str::to_owned)));
        // The last line may have no line end.
        let (sender, lines) = sync_channel(QUEUE);
        forward_lines("bestmove e2e4".as_bytes(), &sender);
        drop(sender);
        let received: Vec<_> = lines.into_iter().map(Result::ok).collect();
        assert_eq!(received, [Some("bestmove e2e4".to_owned())]);
    }

    /// Output that is not read blocks the engine and does not fill memory.
    #[test]
    fn lines_that_wait_are_bounded() {
        /// Counts the bytes that were read from an endless text.
        struct Endless(std::sync::Arc<std::sync::atomic::AtomicUsize>);
        impl Read for Endless {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                buffer.fill(b'\n');
                self.0.fetch_add(buffer.len(), Ordering::SeqCst);
                Ok(buffer.len())
            }
        }
        let taken = std::sync::Arc::default();
        let endless = Endless(std::sync::Arc::clone(&taken));
        let (sender, lines) = sync_channel(QUEUE);
        let reader = thread::spawn(move || forward_lines(endless, &sender));
        for _ in 0..10_000 {
            lines.recv().expect("a line").expect("short");
        }
        // Besides the 10,000 lines received: a full queue, a full read buffer and the current line.
        assert!(taken.load(Ordering::SeqCst) <= 10_000 + QUEUE + 2 * 8192);
        drop(lines);
        reader.join().expect("it ends with its reader");
    }
}
