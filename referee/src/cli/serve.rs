//! `serve`: the page of an event whose referee has ended.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, bail};
use jiff::Timestamp;
use referee::event::Report;
use referee::event::stream::Stamped;
use referee::storage::{self, EVENTS};
use referee::web::{Hub, Settings};
use tokio::time::interval;

use super::demo::DEFAULT_HTTP;
use super::event_file::read_saved_event;
use super::print::print;
use super::run::{runtime, wait_for_signal};
use crate::exit_status::ExitStatus;

/// The page says that it is at work so often.
const PAUSE: Duration = Duration::from_secs(1);

/// Shows what the files of an event tell, until Ctrl-C. Nothing is written.
pub fn serve(directory: &Path, http: Option<&str>) -> anyhow::Result<ExitStatus> {
    let config = read_saved_event(&directory.join("event.toml"))?;
    let name = directory.display();
    if storage::is_in_use(directory) {
        bail!(
            "a referee is running in {name}: it shows the event itself, if it was started with --http"
        );
    }
    let events = directory.join(EVENTS);
    let metadata = events.metadata();
    let length = metadata.with_context(|| format!("cannot read {}", events.display()))?;
    let given = http.map(str::to_owned).or(config.http);
    let any = ["127.0.0.1:0".to_owned()];
    let addresses = match given {
        Some(address) => vec![address],
        None => [vec![DEFAULT_HTTP.to_owned()], any.to_vec()].concat(),
    };
    let hub = Hub::start(Settings {
        addresses,
        broadcast: config.broadcast,
        events: (events, length.len()),
    })?;
    let feed = hub.feed();
    if storage::ended(directory).is_none() {
        feed.event(Stamped {
            seq: 0,
            report: Report::End {
                why: "its referee was killed".to_owned(),
            },
            at: format!("{:.3}", Timestamp::now()),
        });
    }
    print(&format!("watch the games at http://{}/", hub.address));
    runtime()?.block_on(async {
        let mut pause = interval(PAUSE);
        let mut signal = std::pin::pin!(wait_for_signal());
        loop {
            tokio::select! {
                () = &mut signal => break,
                _ = pause.tick() => feed.alive(),
            }
        }
    });
    hub.end(false);
    Ok(ExitStatus::Finished)
}
