//! Errors in the referee itself, on real connections.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::channel as std_channel;
use std::thread;

use super::*;
use crate::core::config::Config;
use crate::core::fail;
use crate::core::journal;
use crate::core::openings::Opening;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

/// Plays until the event is over: it resigns when it is asked, but not before the `silent` first times. It
/// comes back as often as it is disconnected; returns how often it came.
fn player(address: SocketAddr, name: &str, mut silent: usize) -> usize {
    for visit in 1.. {
        let mut stream = TcpStream::connect(address).expect("the referee listens");
        let sign_on = format!("{START} refreq sign_on; tcsi \"\" \"{name}\";\n");
        // If the referee closes the connection, reading tells.
        let _ = stream.write_all(sign_on.as_bytes());
        let lines = BufReader::new(stream.try_clone().expect("a stream")).lines();
        for line in lines.map_while(Result::ok) {
            if line.contains("the event is over") {
                return visit;
            }
            if line.contains("refcom respond") {
                if silent == 0 {
                    let _ = stream.write_all(format!("{START} refreq reply; resign;\n").as_bytes());
                } else {
                    silent -= 1;
                }
            }
        }
    }
    unreachable!("it comes again and again")
}

/// A panic costs the connection and the game in which it happens; the event goes on to its end.
#[test]
fn no_panic_ends_an_event() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "event = \"Test\"\nformat = \"match\"\ngames_per_pairing = 4\ntime_control = \"0.3\"\n\
                [delays]\nreset = \"0s\"\nconclude = \"0s\"\n\
                [[player]]\nname = \"Ann\"\n[[player]]\nname = \"Bob\"\n";
    let path = folder.path().join("cup");
    let storage = Storage::create(&path, text, None).expect("made");
    let config = Config::read(text).expect("sound");
    let ledger = Ledger::new(config, vec![Opening::default()]).expect("a schedule");
    let empty = ledger.clone();
    let (tell, told) = std_channel();
    let referee = thread::spawn(move || {
        // Connections are handled in this thread too.
        fail::arm(&["read", "line", "reply", "tick", "order"]);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            tell.send(listener.local_addr().expect("an address"))
                .expect("waited for");
            let mut server = Server::new(ledger, storage, Access::default());
            let (answer, answered) = oneshot::channel();
            let order = Incoming::Order("games".to_owned(), answer);
            server.sender().send(order).await.expect("room");
            let completion = server.run(listener).await.expect("no failure");
            let answer = answered.await.expect("an answer");
            assert!(answer.is_refused && answer.text.contains("internal error"));
            assert_eq!(fail::armed(), Vec::<&str>::new(), "all have happened");
            completion
        })
    });
    let address = told.recv().expect("an address");
    let ann = thread::spawn(move || player(address, "Ann", 0));
    let bob = thread::spawn(move || player(address, "Bob", 1));
    assert_eq!(referee.join().expect("no panic"), Completion::Finished);
    let visits = ann.join().expect("alive") + bob.join().expect("alive");
    assert_eq!(
        visits,
        2 + 3,
        "read, line and reply ended a connection each"
    );
    let text = std::fs::read(path.join("journal.log")).expect("a journal");
    let (entries, _) = journal::read(&text).expect("readable");
    let games = empty.finished_games(entries, &[true; 4]).expect("readable");
    let results = games.into_iter().map(|[_, end]| match end {
        Report::Result { game, result, .. } => (game, result),
        other => panic!("{other:?}"),
    });
    let results: Vec<_> = results.collect();
    // White is asked first, and resigns.
    let expected = [(1, "*"), (2, "*"), (3, "0-1"), (4, "0-1")];
    assert_eq!(
        results,
        expected.map(|(game, result)| (game, result.to_owned()))
    );
}
