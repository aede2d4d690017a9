//! Exact exchange over serial lines, which may drop, double or change characters (EPD 3.2).
//!
//! Each record carries the private operation `Chk SESSION NUMBER NEXT CRC` as its last one: the number of
//! the record, the number of the record that is expected next from the other end, and a checksum of all
//! that comes before it. A record that is damaged or missing is answered by a fault, whose number is 0 or
//! less: minus the number of records so far. The other end then sends again what is expected. A player chooses a session when it signs on. Ends that do not
//! send `Chk` are understood too, without this protection.
//!
//! ```
//! use epode_epd::protocol::serial::{End, Side};
//!
//! let (mut player, mut referee) = (End::player(1), End::referee());
//! player.send("8/8/8/8/8/k7/8/K7 w - - refreq sign_on;\n");
//! let line = player.transmit().expect("something to say");
//! referee.push(line.replace("sign", "sgn").as_bytes());
//! assert_eq!(referee.receive(), None);
//! let fault = referee.transmit().expect("a fault");
//! player.push(fault.as_bytes());
//! referee.push(player.transmit().expect("the line again").as_bytes());
//! assert_eq!(referee.receive().as_deref(), Some("8/8/8/8/8/k7/8/K7 w - - refreq sign_on;\n"));
//! ```

use std::collections::VecDeque;

use crate::protocol::frame::{Frame, Frames};

const CRC: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);
/// What the check begins with.
const MARK: &str = " Chk ";
/// A check has at least 11 hexadecimal digits. A line that ends with as many as these may have had one.
const DIGITS: usize = 7;
/// How often an end that waits in silence repeats its fault.
const REPEATS: u32 = 5;
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

/// Who is at an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A player.
    Player,
    /// The referee.
    Referee,
}

/// One end of a serial line.
#[derive(Clone, Debug)]
pub struct End {
    side: Side,
    frames: Frames,
    /// Whether a line has begun and not ended.
    is_unfinished: bool,
    /// The number that the player chose; 0 for a referee to which nobody has signed on yet.
    session: u32,
    /// Lines that the other end may not have received, the first of them with the number `first`.
    sent: VecDeque<String>,
    first: u32,
    /// The number of the line to transmit next.
    cursor: u32,
    /// The first line of a player, to sign on again.
    sign_on: Option<String>,
    /// The number of the line that is expected.
    expected: u32,
    received: VecDeque<String>,
    /// The other end does not check; `None` until its first line.
    is_plain: Option<bool>,
    /// How often a player may still sign on again at a referee that answers with plain faults.
    tries: u32,
    /// A fault is to be transmitted.
    faults: bool,
    /// How often the fault for a line that has not come may still be repeated.
    repeats: u32,
    /// The number of damaged lines so far.
    damaged: u64,
}

/// The check of a line.
#[derive(Clone, Copy, Debug)]
struct Check {
    session: u32,
    number: i64,
    next: u32,
}

/// What a line turns out to be.
enum Kind {
    Checked(String, Check),
    Plain,
    Damaged,
}

impl End {
    /// The end of a player, with a number for its session that is likely to be new and is not 0.
    #[must_use]
    pub fn player(session: u32) -> Self {
        Self::new(Side::Player, session.max(1))
    }

    /// The end of a referee.
    #[must_use]
    pub fn referee() -> Self {
        Self::new(Side::Referee, 0)
    }

    fn new(side: Side, session: u32) -> Self {
        Self {
            side,
            frames: Frames::default(),
            is_unfinished: false,
            session,
            sent: VecDeque::new(),
            first: 1,
            cursor: 1,
            sign_on: None,
            expected: 1,
            received: VecDeque::new(),
            is_plain: None,
            tries: REPEATS,
            faults: false,
            repeats: 0,
            damaged: 0,
        }
    }

    /// Asks a player that may have signed on at an earlier referee to sign on again.
    pub const fn ask_to_sign_on(&mut self) {
        self.faults = true;
    }

    /// The number of damaged lines so far.
    #[must_use]
    pub const fn damaged(&self) -> u64 {
        self.damaged
    }

    /// Takes a line to send, with its line feed.
    pub fn send(&mut self, line: &str) {
        let line = line.trim_end().to_owned();
        if self.side == Side::Player && self.sign_on.is_none() {
            self.sign_on = Some(line.clone());
        }
        self.sent.push_back(line);
    }

    /// The next line to write, if there is any.
    pub fn transmit(&mut self) -> Option<String> {
        if std::mem::take(&mut self.faults) {
            return Some(self.fault());
        }
        let line = self.sent.get((self.cursor - self.first) as usize)?.clone();
        if self.is_plain == Some(true) || (self.side == Side::Referee && self.session == 0) {
            self.sent.pop_front();
            return Some(line + "\n");
        }
        let line = self.checked(&line, self.cursor.into());
        self.cursor += 1;
        Some(line)
    }

    /// Takes bytes that were read.
    pub fn push(&mut self, bytes: &[u8]) {
        if let Some(&last) = bytes.last() {
            self.is_unfinished = last != b'\n';
        }
        let mut found = Vec::new();
        self.frames.push(bytes, |frame| found.push(frame));
        for frame in found {
            match frame {
                Frame::Line(line) => self.line(&line),
                Frame::Oversize => self.damage(),
            }
        }
    }

    /// Nothing has been read for a while: a line without its end is taken as it is, and a line that is
    /// still missing is asked for again.
    pub fn idle(&mut self) {
        if self.is_unfinished {
            self.push(b"\n");
        } else if self.repeats > 0 {
            self.repeats -= 1;
            self.faults = true;
        }
    }

    /// Whether [`End::idle`] has something to do.
    #[must_use]
    pub const fn waits(&self) -> bool {
        self.is_unfinished || self.repeats > 0
    }

    /// The next line that was received whole, with its line feed.
    pub fn receive(&mut self) -> Option<String> {
        self.received.pop_front().map(|line| line + "\n")
    }

    fn line(&mut self, line: &str) {
        match kind_of(line) {
            Kind::Checked(body, check) => self.receive_checked(body, check),
            Kind::Plain if self.is_plain.is_none() && line.contains("refcom fault") => {
                // A referee that has not understood our sign_on may not know of checks yet.
                if self.tries > 0 {
                    self.tries -= 1;
                    self.cursor = self.first;
                }
            }
            Kind::Plain if self.understands_plain() => {
                if self.side == Side::Player {
                    self.is_plain = Some(true);
                }
                self.received.push_back(line.to_owned());
            }
            Kind::Plain | Kind::Damaged => self.damage(),
        }
    }

    /// Whether a line without a check may come from an end that does not check.
    fn understands_plain(&self) -> bool {
        match self.side {
            Side::Player => self.is_plain != Some(false),
            Side::Referee => self.session == 0,
        }
    }

    fn receive_checked(&mut self, body: String, check: Check) {
        self.is_plain = Some(false);
        match self.side {
            Side::Referee if check.session != self.session => {
                if check.number == 1 && body.contains("refreq sign_on") {
                    self.begin(check.session);
                } else {
                    // Nobody has signed on with this number here.
                    self.end_session();
                    return;
                }
            }
            Side::Player if check.session == 0 => {
                self.sign_on_again();
                return;
            }
            Side::Player if check.session != self.session => {
                // The referee has not understood our sign_on.
                if check.number <= 0 && self.expected == 1 {
                    self.cursor = self.first;
                }
                return;
            }
            _ => {}
        }
        while self.first < check.next && self.first < self.cursor {
            self.sent.pop_front();
            self.first += 1;
        }
        let expected = i64::from(self.expected);
        if check.number <= 0 {
            self.cursor = self.cursor.min(check.next.max(self.first));
            if -check.number < expected {
                // What was damaged here was a fault, or has come since.
                self.repeats = 0;
            } else if self.repeats > 0 {
                // A fault of ours may have been damaged.
                self.faults = true;
            }
        } else if check.number == expected {
            self.expected += 1;
            self.repeats = 0;
            self.received.push_back(body);
        } else if check.number > expected && self.repeats == 0 {
            self.damage();
        }
    }

    /// A player begins a session with the referee.
    fn begin(&mut self, session: u32) {
        self.session = session;
        self.sent.clear();
        (self.first, self.cursor, self.expected) = (1, 1, 1);
        self.repeats = 0;
    }

    fn end_session(&mut self) {
        self.begin(0);
        self.faults = true;
    }

    /// A player begins a session with a referee that knows nothing of it.
    fn sign_on_again(&mut self) {
        let session = self.session.wrapping_add(1).max(1);
        self.begin(session);
        self.sent.extend(self.sign_on.clone());
    }

    /// A line is damaged or missing.
    fn damage(&mut self) {
        self.damaged += 1;
        self.repeats = REPEATS;
        self.faults = true;
    }

    fn fault(&self) -> String {
        let opcode = match self.side {
            Side::Player => "refreq",
            Side::Referee => "refcom",
        };
        // A player's record needs the present position; its last record has it.
        let fields = self.sent.back().map_or(START, |line| fields_of(line));
        let count = i64::from(self.first) - 1 + self.sent.len() as i64;
        self.checked(&format!("{fields} {opcode} fault;"), -count)
    }

    fn checked(&self, line: &str, number: i64) -> String {
        let (session, next) = (self.session, self.expected);
        let line = format!("{line}{MARK}{session} {number} {next}");
        let crc = CRC.checksum(line.as_bytes());
        format!("{line} {crc:08x};\n")
    }
}

/// The four fields of a record.
fn fields_of(line: &str) -> &str {
    let end = line.match_indices(' ').nth(3).map(|(end, _)| end);
    end.map_or(START, |end| &line[..end])
}

fn kind_of(line: &str) -> Kind {
    let checked = || {
        let (before, crc) = line.strip_suffix(';')?.rsplit_once(' ')?;
        let (body, numbers) = before.rsplit_once(MARK)?;
        let mut numbers = numbers.split(' ');
        let check = Check {
            session: numbers.next()?.parse().ok()?,
            number: numbers.next()?.parse().ok()?,
            next: numbers.next()?.parse().ok()?,
        };
        let crc = (crc.len() == 8).then(|| u32::from_str_radix(crc, 16).ok())??;
        (CRC.checksum(before.as_bytes()) == crc).then(|| (body.to_owned(), check))
    };
    match checked() {
        Some((body, check)) => Kind::Checked(body, check),
        None if looks_checked(line) => Kind::Damaged,
        None => Kind::Plain,
    }
}

/// Whether a line ends with what may be a damaged check: words after the last quotation mark and semicolon
/// that are as many as those of a check, or that hold most of its digits.
fn looks_checked(line: &str) -> bool {
    let operations = line.strip_prefix(fields_of(line)).unwrap_or(line);
    // The last semicolon may have been doubled, the line feed changed.
    let operations = operations.trim_end_matches(|c: char| c == ';' || c.is_ascii_control());
    let last = operations.rsplit([';', '"']).next().unwrap_or_default();
    // Words without a digit, as in `refcom disconnect`, are not from a check.
    let numbers = last
        .split(' ')
        .filter(|word| word.contains(|c: char| c.is_ascii_digit()));
    let digits = numbers
        .flat_map(str::bytes)
        .filter(u8::is_ascii_hexdigit)
        .count();
    line.contains(MARK) || last.split_whitespace().count() >= 4 || digits >= DIGITS
}

#[cfg(test)]
mod tests;
