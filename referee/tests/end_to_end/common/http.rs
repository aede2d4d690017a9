//! A viewer: requests over HTTP, and the stream of events.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

use referee::event::stream::Stamped;

use super::LIMIT;

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// Its headers, with their names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let header = headers.find(|(header, _)| header == name);
        header.map(|(_, value)| value.as_str())
    }
}

/// Sends a text on a new connection and reads the answer.
pub fn send(address: SocketAddr, text: &str) -> Answer {
    let mut stream = TcpStream::connect(address).expect("connected");
    stream.set_read_timeout(Some(LIMIT)).expect("set");
    // The server may answer before it has read all.
    let _ = stream.write_all(text.as_bytes());
    let mut reader = BufReader::new(stream);
    let (status, headers) = head(&mut reader);
    let mut answer = Answer {
        status,
        headers,
        body: String::new(),
    };
    let mut bytes = Vec::new();
    if answer.header("transfer-encoding") == Some("chunked") {
        while let Some(chunk) = chunk(&mut reader) {
            bytes.extend(chunk);
        }
    } else {
        let length = answer.header("content-length").unwrap_or("0");
        bytes.resize(length.parse().expect("a length"), 0);
        reader.read_exact(&mut bytes).expect("a body");
    }
    answer.body = String::from_utf8(bytes).expect("text");
    answer
}

/// `GET` of a path, with more lines for its head.
pub fn get_with(address: SocketAddr, path: &str, lines: &str) -> Answer {
    send(
        address,
        &format!("GET {path} HTTP/1.1\r\nHost: here\r\n{lines}\r\n"),
    )
}

/// `GET` of a path that exists.
pub fn get(address: SocketAddr, path: &str) -> String {
    let answer = get_with(address, path, "");
    assert_eq!(answer.status, 200, "{path}: {answer:?}");
    answer.body
}

/// `GET` of JSON.
pub fn json(address: SocketAddr, path: &str) -> serde_json::Value {
    serde_json::from_str(&get(address, path)).expect(path)
}

fn head(reader: &mut impl BufRead) -> (u16, Vec<(String, String)>) {
    let mut lines = reader.lines().map(|line| line.expect("a head"));
    let status = lines.next().expect("a status");
    let status = status.split(' ').nth(1).expect("a number");
    let headers = lines.take_while(|line| !line.is_empty()).map(|line| {
        let (name, value) = line.split_once(": ").expect("a header");
        (name.to_lowercase(), value.to_owned())
    });
    (status.parse().expect("a number"), headers.collect())
}

/// The next part of a body; none at its end.
fn chunk(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let length = usize::from_str_radix(line.trim(), 16).ok()?;
    let mut chunk = vec![0; length];
    reader.read_exact(&mut chunk).ok()?;
    line.clear();
    reader.read_line(&mut line).ok()?;
    (length > 0).then_some(chunk)
}

/// A viewer that follows the stream of events.
pub struct Stream {
    reader: BufReader<TcpStream>,
    text: String,
}

impl Stream {
    /// Begins after an event, or with a snapshot.
    pub fn open(address: SocketAddr, after: Option<u64>) -> Self {
        let mut stream = TcpStream::connect(address).expect("connected");
        stream.set_read_timeout(Some(LIMIT)).expect("set");
        let after = after.map_or_else(String::new, |id| format!("Last-Event-ID: {id}\r\n"));
        let request = format!("GET /api/stream HTTP/1.1\r\nHost: here\r\n{after}\r\n");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut reader = BufReader::new(stream);
        let (status, headers) = head(&mut reader);
        assert_eq!(status, 200);
        let content = ("content-type".to_owned(), "text/event-stream".to_owned());
        assert!(headers.contains(&content), "{headers:?}");
        Self {
            reader,
            text: String::new(),
        }
    }
}

/// The next events, with their numbers.
impl Iterator for Stream {
    type Item = (u64, Stamped);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            while let Some((block, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| {
                    let mut lines = block.lines();
                    lines.find_map(|line| line.strip_prefix(name))
                };
                let found = field("id: ").zip(field("data: ")).map(|(id, data)| {
                    let id = id.parse().expect("a number");
                    (id, serde_json::from_str(data).expect(data))
                });
                self.text = rest.to_owned();
                if found.is_some() {
                    return found;
                }
            }
            let chunk = chunk(&mut self.reader)?;
            self.text += std::str::from_utf8(&chunk).expect("whole lines");
        }
    }
}
