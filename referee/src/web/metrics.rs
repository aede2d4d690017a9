//! What is measured, in the text format of Prometheus.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;

use crate::core::event::Report;

/// The quantiles of the lag are those of so many moves.
const LAGS: usize = 4096;
const QUANTILES: [f64; 3] = [0.5, 0.99, 0.999];

/// What is counted, from the stream of events as the referee reports it.
#[derive(Debug, Default)]
pub struct Metrics {
    scheduled: usize,
    running: BTreeSet<usize>,
    finished: BTreeSet<usize>,
    is_paused: bool,
    moves: u64,
    /// The lags of the last moves, in milliseconds.
    lags: VecDeque<f64>,
    lag_sum: f64,
    faults: BTreeMap<String, u64>,
    orders: u64,
    sign_ons: u64,
    disconnections: u64,
    refused: u64,
    /// The number of the last event.
    seq: u64,
    /// Open connections of viewers.
    pub connections: u64,
    /// Those of them that follow the stream of events.
    pub streams: u64,
    /// Viewers that were turned away because there were too many.
    pub turned_away: u64,
}

impl Metrics {
    /// Takes in an event of the stream.
    pub fn apply(&mut self, seq: u64, report: &Report) {
        self.seq = seq;
        match report {
            Report::Start(start) => {
                self.scheduled = start.games;
                self.is_paused = false;
            }
            Report::Game(game) => {
                self.finished.remove(&game.game);
                self.running.insert(game.game);
            }
            Report::Move { lag_ms, .. } => {
                self.moves += 1;
                self.lag_sum += lag_ms;
                self.lags.push_back(*lag_ms);
                if self.lags.len() > LAGS {
                    self.lags.pop_front();
                }
            }
            Report::Result { game, verdict, .. } => {
                self.running.remove(game);
                self.finished.insert(*game);
                if let Some(fault) = verdict {
                    *self.faults.entry(fault.to_string()).or_default() += 1;
                }
            }
            Report::Withdrawn { game, .. } => {
                self.finished.remove(game);
            }
            Report::Paused { .. } => self.is_paused = true,
            Report::Resumed => self.is_paused = false,
            Report::Order { .. } => self.orders += 1,
            Report::SignOn { .. } => self.sign_ons += 1,
            Report::Lost { .. } => self.disconnections += 1,
            Report::Refused { .. } => self.refused += 1,
            Report::MoreRefused { count } => self.refused += count,
            _ => {}
        }
    }

    /// The quantiles of the lag, each with its label, in seconds.
    fn quantiles(&self) -> Vec<(String, f64)> {
        let mut lags: Vec<_> = self.lags.iter().copied().collect();
        lags.sort_by(f64::total_cmp);
        let Some(last) = lags.len().checked_sub(1) else {
            return Vec::new();
        };
        let lag = |part: f64| lags[(last as f64 * part).round() as usize] / 1e3;
        let quantiles = QUANTILES.map(|part| (format!("{{quantile=\"{part}\"}}"), lag(part)));
        quantiles.to_vec()
    }

    /// The metrics as Prometheus reads them.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = Text::default();
        let games = [
            ("scheduled", self.scheduled),
            ("running", self.running.len()),
            ("finished", self.finished.len()),
        ];
        let games = games.map(|(state, count)| (format!("{{state=\"{state}\"}}"), count as f64));
        text.family("games", "gauge", "Games by state.", &games);
        text.gauge(
            "paused",
            "Whether no new games are started.",
            self.is_paused.into(),
        );
        text.counter("moves_total", "Moves.", self.moves);
        let help = "Time from the reading of a move to its handling; quantiles are of the last 4096 moves.";
        text.family("lag_seconds", "summary", help, &self.quantiles());
        text.sample("lag_seconds_sum", "", self.lag_sum / 1e3);
        text.sample("lag_seconds_count", "", self.moves as f64);
        let faults = self.faults.iter();
        let faults: Vec<_> = faults
            .map(|(fault, count)| (format!("{{fault=\"{fault}\"}}"), *count as f64))
            .collect();
        let help = "Games that were decided by a fault of a player.";
        text.family("faults_total", "counter", help, &faults);
        text.counter("orders_total", "Orders of the arbiter.", self.orders);
        text.counter("sign_ons_total", "Players that signed on.", self.sign_ons);
        let help = "Players that were disconnected.";
        text.counter("disconnections_total", help, self.disconnections);
        let help = "Peers that were turned away from the players' port.";
        text.counter("refused_connections_total", help, self.refused);
        text.gauge("viewers", "Open HTTP connections.", self.connections);
        let help = "HTTP connections that follow the stream of events.";
        text.gauge("viewer_streams", help, self.streams);
        let help = "HTTP connections that were turned away because there were too many.";
        text.counter("viewers_turned_away_total", help, self.turned_away);
        text.counter("stream_events_total", "Events of the stream.", self.seq);
        text.0
    }
}

/// Metrics in the text format. Writing to a string cannot fail.
#[derive(Default)]
struct Text(String);

impl Text {
    fn family(&mut self, name: &str, kind: &str, help: &str, samples: &[(String, f64)]) {
        let _ = write!(
            self.0,
            "# HELP epode_{name} {help}\n# TYPE epode_{name} {kind}\n"
        );
        for (labels, value) in samples {
            self.sample(name, labels, *value);
        }
    }

    fn sample(&mut self, name: &str, labels: &str, value: f64) {
        let _ = writeln!(self.0, "epode_{name}{labels} {value}");
    }

    fn counter(&mut self, name: &str, help: &str, value: u64) {
        self.family(name, "counter", help, &[(String::new(), value as f64)]);
    }

    fn gauge(&mut self, name: &str, help: &str, value: u64) {
        self.family(name, "gauge", help, &[(String::new(), value as f64)]);
    }
}
