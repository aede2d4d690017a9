//! A player whose network is cut: no end of its connection ever arrives.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::{PROGRAM, event};

/// In a network of its own, the referee and a player are joined by a cable, which is then pulled out.
/// `$0` is the referee.
const SCRIPT: &str = r#"
    ip link set lo up
    ip link add here type veth peer name there
    unshare -n sleep 60 & far=$!
    network() { readlink /proc/$1/ns/net; }
    while [ "$(network $far)" = "$(network $$)" ]; do :; done
    ip link set there netns $far
    ip addr add 10.9.0.1/24 dev here; ip link set here up
    nsenter -t $far -n bash -c 'ip addr add 10.9.0.2/24 dev there; ip link set there up'
    "$0" run cup.toml --insecure > said & referee=$!
    wait_for() { timeout 30 bash -c "until grep -q '$1' said; do :; done"; }
    wait_for 'listening on'
    nsenter -t $far -n bash -c 'exec 3<>/dev/tcp/10.9.0.1/5600
        echo "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - refreq sign_on; tcsi \"\" \"Ann\";" >&3
        exec cat <&3' > heard & player=$!
    wait_for 'Ann connected' && echo connected
    nsenter -t $far -n ip link set there down && echo cut
    wait_for 'Ann disconnected' && echo noticed
    kill $referee $player $far
"#;

#[test]
fn a_player_that_is_cut_off() {
    let allowed = Command::new("unshare")
        .args(["-n", "ip", "link", "add", "here", "type", "veth"])
        .output();
    if !allowed.is_ok_and(|output| output.status.success()) {
        println!("not tested: networks cannot be made here");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let text = event(
        "listen = \"10.9.0.1:5600\"\n",
        "[rules]\nping = \"1s\"\n",
        &["Ann", "Bob"],
    );
    std::fs::write(folder.path().join("cup.toml"), text).expect("written");
    let started = Instant::now();
    let output = Command::new("unshare")
        .args(["-n", "bash", "-c", SCRIPT, PROGRAM])
        .current_dir(folder.path())
        .output()
        .expect("unshare");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(said, "connected\ncut\nnoticed\n", "{errors}");
    assert!(started.elapsed() < Duration::from_secs(25));
}
