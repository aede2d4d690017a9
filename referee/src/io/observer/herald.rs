//! What a referee does that has taken over: it makes the earlier one stop.

use std::time::Duration;

use epd::protocol::Term;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::mpsc::Sender;
use tokio::time::timeout;

use super::target::{CONNECT_TIMEOUT, MAX_LINE, Target};
use crate::core::observer::{FromReferee, fence_line};
use crate::io::connector::Duplex;
use crate::io::message::Incoming;

/// How often a referee that has taken over looks for an earlier one.
const HERALD_PAUSE: Duration = Duration::from_secs(1);

/// Shows the term of a referee that has taken over to the earlier one, again and again: if that still runs, or
/// is started again, it stops. A later referee that answers makes this one stop.
pub async fn herald(target: Target, term: Term, events: Sender<Incoming>) {
    loop {
        if let Ok(stream) = target.connect().await
            && let Ok(Some(later)) = timeout(CONNECT_TIMEOUT, show_term(stream, &term)).await
            && later.number > term.number
            && events.send(Incoming::Superseded(later)).await.is_err()
        {
            return;
        }
        if events.is_closed() {
            return;
        }
        tokio::time::sleep(HERALD_PAUSE).await;
    }
}

/// Shows a term to the referee at the other end of a connection; returns that referee's.
async fn show_term(stream: Box<dyn Duplex>, term: &Term) -> Option<Term> {
    let (read, mut write) = tokio::io::split(stream);
    let line = fence_line(term);
    write.write_all(line.as_bytes()).await.ok()?;
    write.flush().await.ok()?;
    let mut answer = Vec::new();
    read.take(MAX_LINE as u64)
        .read_to_end(&mut answer)
        .await
        .ok()?;
    let line = answer.split(|&byte| byte == b'\n').next()?;
    match FromReferee::read(str::from_utf8(line).ok()?) {
        Ok(FromReferee::Farewell { term, .. }) => term,
        _ => None,
    }
}
