//! The thread that synchronises the journal with the disk.

use std::fs::File;
use std::io;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

/// Shortest time between two synchronisations of the journal with the disk.
const SYNC_PAUSE: Duration = Duration::from_millis(200);

/// Synchronises the journal with the disk again and again. After a failure another attempt could succeed
/// although data is lost, so the first one is final.
pub(super) fn synchronising_thread(journal: File, failure: Arc<OnceLock<String>>) -> Sender<()> {
    let (sender, requests) = channel::<()>();
    thread::spawn(move || {
        while requests.recv().is_ok() {
            let synchronised = journal.sync_data().and_then(|()| {
                thread::sleep(SYNC_PAUSE);
                while requests.try_recv().is_ok() {}
                journal.sync_data()
            });
            match synchronised {
                // A full disk makes the next write to the journal fail, which is dealt with there.
                Err(error) if error.kind() != io::ErrorKind::StorageFull => {
                    // Only this thread sets it, so this cannot fail.
                    let _ = failure.set(error.to_string());
                    return;
                }
                _ => {}
            }
        }
    });
    sender
}
