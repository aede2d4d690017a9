//! A browser without a window, driven by its debugging protocol
//! (<https://chromedevtools.github.io/devtools-protocol/>).

use std::cell::{Cell, RefCell};
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::thread;

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket, connect};

use super::{Killed, LIMIT};

/// What the program is called on different systems.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// A browser at work.
pub struct Chromium {
    socket: RefCell<WebSocket<MaybeTlsStream<TcpStream>>>,
    commands: Cell<u64>,
    /// What went wrong in pages: exceptions, and what is written to the console.
    complaints: RefCell<Vec<String>>,
    _program: Killed,
    _profile: TempDir,
}

/// A page that is open in a browser.
pub struct Tab<'b> {
    browser: &'b Chromium,
    session: String,
}

impl Chromium {
    /// Starts the browser. None, and a word about it, where there is none.
    pub fn start() -> Option<Self> {
        let profile = TempDir::new().expect("a folder");
        let start = |name: &&str| {
            let mut command = Command::new(name);
            command
                .args([
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--hide-scrollbars",
                ])
                .args(["--remote-debugging-port=0", "--no-first-run"])
                .arg(format!("--user-data-dir={}", profile.path().display()))
                .arg("about:blank")
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::piped());
            command.spawn().ok()
        };
        let Some(mut program) = NAMES.iter().find_map(start).map(Killed) else {
            println!("not tested: there is no Chromium");
            return None;
        };
        let stderr = BufReader::new(program.0.stderr.take().expect("piped"));
        let mut lines = stderr.lines().map_while(Result::ok);
        let address = lines.find_map(|line| {
            let (_, address) = line.split_once("DevTools listening on ")?;
            Some(address.to_owned())
        });
        // The browser must not wait for a reader of what else it says.
        thread::spawn(move || lines.for_each(drop));
        let (socket, _) = connect(address.expect("an address")).expect("connected");
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(LIMIT)).expect("a timeout");
        }
        Some(Self {
            socket: RefCell::new(socket),
            commands: Cell::new(0),
            complaints: RefCell::default(),
            _program: program,
            _profile: profile,
        })
    }

    /// Opens a page on a screen of this size.
    pub fn open(&self, address: &str, [width, height]: [u32; 2]) -> Tab<'_> {
        let target = self.command(
            None,
            "Target.createTarget",
            json!({"url": "about:blank", "newWindow": true}),
        );
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = self.command(None, "Target.attachToTarget", attach);
        let tab = Tab {
            browser: self,
            session: attached["sessionId"]
                .as_str()
                .expect("a session")
                .to_owned(),
        };
        for domain in ["Runtime", "Log", "Page"] {
            tab.command(&format!("{domain}.enable"), json!({}));
        }
        tab.command(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}),
        );
        // A page behind another one must not be idle.
        tab.command(
            "Emulation.setFocusEmulationEnabled",
            json!({"enabled": true}),
        );
        tab.go(address);
        tab
    }

    /// What went wrong in pages so far.
    pub fn complaints(&self) -> Vec<String> {
        self.complaints.borrow().clone()
    }

    fn command(&self, session: Option<&str>, method: &str, parameters: Value) -> Value {
        let id = self.commands.get() + 1;
        self.commands.set(id);
        let mut command = json!({"id": id, "method": method});
        command["params"] = parameters;
        if let Some(session) = session {
            command["sessionId"] = json!(session);
        }
        let mut socket = self.socket.borrow_mut();
        socket
            .send(Message::text(command.to_string()))
            .expect(method);
        loop {
            let Message::Text(text) = socket.read().expect(method) else {
                continue;
            };
            let message: Value = serde_json::from_str(&text).expect("JSON");
            if message["id"] == id {
                assert_eq!(message["error"], Value::Null, "{method}");
                return message["result"].clone();
            }
            if let Some(complaint) = complaint(&message) {
                self.complaints.borrow_mut().push(complaint);
            }
        }
    }
}

/// What a message of the browser complains of.
fn complaint(message: &Value) -> Option<String> {
    let parameters = &message["params"];
    match message["method"].as_str()? {
        "Runtime.exceptionThrown" => Some(parameters["exceptionDetails"].to_string()),
        "Runtime.consoleAPICalled" => Some(parameters["args"].to_string()),
        "Log.entryAdded" => Some(parameters["entry"].to_string()),
        _ => None,
    }
}

impl Tab<'_> {
    /// Sends a command for this page.
    pub fn command(&self, method: &str, parameters: Value) -> Value {
        self.browser
            .command(Some(&self.session), method, parameters)
    }

    /// Goes to another page, and waits until it has been loaded.
    pub fn go(&self, address: &str) {
        self.command("Page.navigate", json!({"url": address}));
        let is_there = format!(
            "document.readyState === 'complete' && location.href === {}",
            json!(address)
        );
        self.wait_for(&is_there);
    }

    /// The value of an expression.
    pub fn value(&self, expression: &str) -> Value {
        let parameters = json!({
            "expression": expression, "returnByValue": true, "awaitPromise": true,
        });
        let value = self.command("Runtime.evaluate", parameters);
        assert_eq!(value["exceptionDetails"], Value::Null, "{expression}");
        value["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub fn wait_for(&self, expression: &str) {
        let started = std::time::Instant::now();
        while self.value(expression) != true {
            assert!(started.elapsed() < LIMIT, "never: {expression}");
            thread::yield_now();
        }
    }

    /// Presses a key.
    pub fn press(&self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.command("Input.dispatchKeyEvent", json!({"type": kind, "key": key}));
        }
    }
}
