//! An observer: follows a running referee, keeps a copy of its journal, and tells when to take over.

mod herald;
mod target;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, ReadHalf, WriteHalf};
use tokio::sync::mpsc::Receiver;

use crate::core::config::{Config, ObserverSettings};
use crate::core::event::stream::OVER;
use crate::core::event::{GivenOrder, Order};
use crate::core::observer::{self, FromReferee, SignOn};
use crate::core::takeover::Watch;
use crate::io::connector::Duplex;
use crate::io::message::{Answer, Incoming};
use crate::io::replica::Replica;
use crate::io::server::say;
pub use herald::herald;
use target::MAX_LINE;
pub use target::{NoConnection, Target};

/// The longest pause between two attempts.
const RETRY: Duration = Duration::from_millis(250);
/// What a referee says that may let the observer in later.
const PASSING: [&str; 2] = ["too many connections", "no sign_on in time"];

/// How an observer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It takes over, for this reason.
    TakeOver(String),
    /// The event is over.
    Over,
    /// It was told to stop.
    Stopped,
}

/// An observer.
pub struct Observer<P> {
    target: Target,
    token: String,
    replica: Replica,
    /// Instead of the `takeover` of the event file.
    takeover: Option<Duration>,
    /// Looks at the folder when the event file has come.
    prepare: P,
    watch: Watch,
    /// Whether a copy must survive a power failure before it counts.
    is_synced: bool,
    /// What was last said of the referee, so that it is not said again and again.
    said: String,
}

/// What came of a part of the input.
enum Step {
    Continue,
    /// The connection has ended.
    Lost,
    End(End),
}

/// The parts of a connection.
struct Link {
    read: ReadHalf<Box<dyn Duplex>>,
    write: WriteHalf<Box<dyn Duplex>>,
    /// A line whose end has not come yet.
    unfinished: Vec<u8>,
    /// Files of the event, as far as they have come.
    files: Vec<(String, String)>,
    /// The journal follows.
    has_begun: bool,
    /// All has come that players know of.
    is_complete: bool,
}

impl<P: FnMut(&Path) -> anyhow::Result<()>> Observer<P> {
    /// An observer with this token.
    pub fn new(
        target: Target,
        token: String,
        replica: Replica,
        takeover: Option<Duration>,
        prepare: P,
    ) -> Self {
        let watch = Watch::new(
            crate::core::config::WhenCut::Primary,
            takeover.unwrap_or(Duration::from_secs(5)),
            Duration::from_secs(2),
            Instant::now(),
        );
        Self {
            target,
            token,
            replica,
            takeover,
            prepare,
            watch,
            is_synced: false,
            said: String::new(),
        }
    }

    /// The copy, to take over with.
    #[must_use]
    pub fn into_replica(self) -> Replica {
        self.replica
    }

    /// Follows the referee until the observer takes over or ends.
    pub async fn run(&mut self, orders: &mut Receiver<Incoming>) -> anyhow::Result<End> {
        if self.replica.has_event() {
            self.read_event()?;
        }
        loop {
            let target = self.target.clone();
            let mut connecting = std::pin::pin!(target.connect());
            let connected = loop {
                tokio::select! {
                    connected = &mut connecting => break connected,
                    order = orders.recv() => if let Some(end) = self.obey(order) {
                        return Ok(end);
                    },
                    () = tokio::time::sleep_until(self.watch.deadline().into()),
                        if self.watch.is_due_at_deadline() => return Ok(self.take_over()),
                }
            };
            if let Some(end) = self.use_connection(connected, orders).await? {
                return Ok(end);
            }
            if self.watch.is_due(Instant::now()) {
                return Ok(self.take_over());
            }
            if let Some(end) = self.pause(orders).await {
                return Ok(end);
            }
        }
    }

    async fn use_connection(
        &mut self,
        connected: Result<Box<dyn Duplex>, NoConnection>,
        orders: &mut Receiver<Incoming>,
    ) -> anyhow::Result<Option<End>> {
        let address = self.target.address.clone();
        match connected {
            Ok(stream) => return self.follow(stream, orders).await,
            Err(NoConnection::Final(error)) => {
                return Err(error).context(format!("cannot connect to {address}"));
            }
            Err(NoConnection::Refused) => {
                self.watch.refused(Instant::now());
                self.say_once(&format!("nobody listens at {address}"));
            }
            Err(NoConnection::Unreachable(error)) => {
                self.watch.unreachable();
                self.say_once(&format!("cannot connect to {address}: {error}"));
            }
        }
        if !self.replica.has_event() {
            bail!("cannot connect to {address}, and there is no copy of the event to take over");
        }
        Ok(None)
    }

    /// Says something of the referee, and what comes of it.
    fn say_once(&mut self, text: &str) {
        let text = match self.watch.doubt() {
            None => format!(
                "{text}; taking over if it stays so for {:?}",
                self.takeover()
            ),
            Some(doubt) => format!(
                "{text}; {}: to take over, epode-referee control {} takeover",
                doubt.text(),
                self.replica.directory().display()
            ),
        };
        if self.said != text {
            say(&text);
            self.said = text;
        }
    }

    fn takeover(&self) -> Duration {
        self.takeover.unwrap_or(self.watch.takeover())
    }

    fn take_over(&self) -> End {
        let silence = self.watch.silence(Instant::now());
        End::TakeOver(format!(
            "nothing has been heard of the referee for {:.1} s",
            silence.as_secs_f64()
        ))
    }

    /// Waits before the next attempt.
    async fn pause(&mut self, orders: &mut Receiver<Incoming>) -> Option<End> {
        let until = Instant::now() + RETRY.min(self.takeover() / 10);
        loop {
            tokio::select! {
                () = tokio::time::sleep_until(until.into()) => return None,
                order = orders.recv() => if let Some(end) = self.obey(order) {
                    return Some(end);
                },
            }
        }
    }

    /// Reads the settings of the event.
    fn read_event(&mut self) -> anyhow::Result<()> {
        let path = self.replica.directory().join("event.toml");
        let text = std::fs::read_to_string(&path);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        let config = Config::read_saved(&text).with_context(|| path.display().to_string())?;
        if let Some(settings) = &config.observer {
            self.set(settings);
        }
        (self.prepare)(self.replica.directory())
    }

    fn set(&mut self, settings: &ObserverSettings) {
        self.is_synced = settings.replicas > 0;
        self.watch.set(
            settings.when_cut,
            self.takeover.unwrap_or(settings.takeover),
            settings.replicas_timeout,
        );
    }

    /// Follows the referee on a connection; none if that has ended.
    async fn follow(
        &mut self,
        stream: Box<dyn Duplex>,
        orders: &mut Receiver<Incoming>,
    ) -> anyhow::Result<Option<End>> {
        let (read, write) = tokio::io::split(stream);
        let mut link = Link {
            read,
            write,
            unfinished: Vec::new(),
            files: Vec::new(),
            has_begun: false,
            is_complete: false,
        };
        let sign_on = SignOn {
            replica: self.replica.state()?,
            beat: self.takeover() / 10,
        };
        let line = sign_on.line(&self.token);
        let mut bytes = vec![0; MAX_LINE];
        if link.write.write_all(line.as_bytes()).await.is_err() {
            self.watch.lose();
            return Ok(None);
        }
        let _ = link.write.flush().await;
        let since = Instant::now();
        loop {
            let last = since + self.takeover();
            let wake = Some(self.watch.deadline()).filter(|&deadline| deadline > Instant::now());
            tokio::select! {
                read = link.read.read(&mut bytes) => match read {
                    Ok(count @ 1..) => {
                        self.watch.hear(Instant::now());
                        match self.take(&bytes[..count], &mut link).await? {
                            Step::Continue => {}
                            Step::Lost => break,
                            Step::End(end) => return Ok(Some(end)),
                        }
                    }
                    _ => break,
                },
                order = orders.recv() => if let Some(end) = self.obey(order) {
                    return Ok(Some(end));
                },
                () = tokio::time::sleep_until(wake.unwrap_or(last).into()) => {
                    if self.watch.is_due(Instant::now()) {
                        return Ok(Some(self.take_over()));
                    }
                    if Instant::now() < last {
                        continue;
                    }
                    self.watch.unreachable();
                    let address = self.target.address.clone();
                    self.say_once(&format!("{address} says nothing"));
                    return Ok(None);
                }
            }
        }
        if link.has_begun {
            self.watch.lose();
        } else {
            // Something answers, but not the referee.
            self.watch.unreachable();
        }
        Ok(None)
    }

    /// Takes what has come; answers with the length of the copy.
    async fn take(&mut self, bytes: &[u8], link: &mut Link) -> anyhow::Result<Step> {
        link.unfinished.extend_from_slice(bytes);
        let Some(end) = memchr::memrchr(b'\n', &link.unfinished) else {
            if link.unfinished.len() > MAX_LINE {
                bail!("{} sends a line without an end", self.target.address);
            }
            return Ok(Step::Continue);
        };
        let rest = link.unfinished.split_off(end + 1);
        let lines = std::mem::replace(&mut link.unfinished, rest);
        let mut entries = Vec::new();
        let mut must_answer = false;
        let mut step = Step::Continue;
        for line in lines.split_inclusive(|&byte| byte == b'\n') {
            let text = str::from_utf8(line).ok().map(str::trim_end);
            let said = text.map(FromReferee::read);
            let Some(Ok(said)) = said else {
                let why = said.and_then(Result::err).unwrap_or_default();
                bail!("{} is no referee of this kind: {why}", self.target.address);
            };
            match said {
                FromReferee::Entry if link.has_begun => entries.extend_from_slice(line),
                FromReferee::Entry => {
                    bail!("{} sends a journal without beginning", self.target.address);
                }
                FromReferee::Beat => must_answer = true,
                FromReferee::Complete => link.is_complete = true,
                FromReferee::File { name, part } => add_part(&mut link.files, name, &part)?,
                FromReferee::Journal { from, to, .. } => {
                    if to > self.replica.length() || from < self.replica.length() {
                        self.watch.fall_behind();
                    }
                    self.begin(link, from)?;
                    link.has_begun = true;
                    must_answer = true;
                }
                FromReferee::Farewell { why, .. } => {
                    step = self.part(&why, link.has_begun)?;
                    break;
                }
            }
        }
        if !entries.is_empty() {
            self.replica.append(&entries, self.is_synced)?;
            must_answer = true;
        }
        if std::mem::take(&mut link.is_complete) {
            self.catch_up();
        }
        if must_answer && matches!(step, Step::Continue) {
            let line = observer::replica_line(self.replica.length());
            if link.write.write_all(line.as_bytes()).await.is_err()
                || link.write.flush().await.is_err()
            {
                return Ok(Step::Lost);
            }
        }
        Ok(step)
    }

    /// The files have come, and the journal follows.
    fn begin(&mut self, link: &mut Link, from: u64) -> anyhow::Result<()> {
        let files = std::mem::take(&mut link.files);
        let files = files.into_iter().map(|(name, parts)| {
            let text = observer::file_text(&parts);
            let text = text.with_context(|| format!("{name} has come damaged"))?;
            Ok((name, text))
        });
        let files = files.collect::<anyhow::Result<Vec<_>>>()?;
        if let Some(kept) = self.replica.begin(&files, from)? {
            say(&format!(
                "the journal in {} is not a beginning of the referee's: it is kept as {kept}",
                self.replica.directory().display()
            ));
        }
        self.read_event()
    }

    /// The copy has become complete.
    fn catch_up(&mut self) {
        self.watch.catch_up();
        self.said.clear();
        say(&format!(
            "following {}: {} bytes of its journal are here",
            self.target.address,
            self.replica.length()
        ));
    }

    /// The referee ends the connection.
    fn part(&mut self, why: &str, was_admitted: bool) -> anyhow::Result<Step> {
        let address = self.target.address.clone();
        match why {
            OVER => return Ok(Step::End(End::Over)),
            "the referee is shutting down" => {
                self.watch.stop();
                self.say_once(&format!("{address} has been stopped"));
            }
            observer::GOES_ON_ALONE => {
                self.watch.go_alone();
                self.say_once(&format!("{address}: {why}"));
            }
            "another observer took its place" => bail!("{address}: {why}"),
            _ if was_admitted || PASSING.contains(&why) => {
                self.watch.dismiss();
                self.say_once(&format!("{address} closes the connection: {why}"));
            }
            _ => bail!("{address} turns the observer away: {why}"),
        }
        Ok(Step::Lost)
    }

    /// Carries out an order of the arbiter.
    fn obey(&mut self, incoming: Option<Incoming>) -> Option<End> {
        let (line, asker) = match incoming {
            Some(Incoming::Order(line, asker)) => (line, asker),
            Some(Incoming::Shutdown) | None => return Some(End::Stopped),
            Some(_) => return None,
        };
        let (end, text, is_refused) = match line.parse::<GivenOrder>().map(|given| given.order) {
            Ok(Order::Takeover) if self.replica.has_event() => {
                let end = End::TakeOver("by order of the arbiter".to_owned());
                (Some(end), "taking over the event".to_owned(), false)
            }
            Ok(Order::Takeover) => {
                let why = "nothing has been copied yet".to_owned();
                (None, why, true)
            }
            Ok(Order::Quit) => (Some(End::Stopped), "shutting down".to_owned(), false),
            Ok(Order::Status) => (None, self.status(), false),
            Ok(_) => {
                let why = "this is an observer: it knows takeover, status and quit".to_owned();
                (None, why, true)
            }
            Err(error) => (None, error.to_string(), true),
        };
        // Whoever asked may have gone.
        let _ = asker.send(Answer { text, is_refused });
        end
    }

    fn status(&self) -> String {
        let doubt = self.watch.doubt().map_or_else(String::new, |doubt| {
            format!("; no take-over without an order: {}", doubt.text())
        });
        format!(
            "observing {}: {} bytes of its journal are here; last heard of {:.1} s ago{doubt}",
            self.target.address,
            self.replica.length(),
            self.watch.silence(Instant::now()).as_secs_f64()
        )
    }
}

/// Adds a part to the text of a file.
fn add_part(files: &mut Vec<(String, String)>, name: String, part: &str) -> anyhow::Result<()> {
    /// More than any book of openings has.
    const MAX_FILE: usize = 1 << 30;
    match files.iter_mut().find(|(other, _)| *other == name) {
        Some((_, text)) if text.len() > MAX_FILE => bail!("{name} is too long"),
        Some((_, text)) => text.push_str(part),
        None => files.push((name, part.to_owned())),
    }
    Ok(())
}
