#!/usr/bin/env python3
"""Test train.py on 1,000 data points, on the processor, and wdl.py on four games.

  test_train.py target/debug/epode-train

Needs PyTorch. Checks that the engine loads the network that train.py writes, that training lowers
the loss, and that train.py and the Rust trainer find the same loss for the same network.
"""
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent
COUNT, DATA_POINT = 1000, 32
# The players, the result, and two scores of White and one of Black in pawns.
GAMES = [
    ("Ann", "Bea", "1-0", "+0.60", "-0.40", "+1.10"),
    ("Ann", "Bea", "0-1", "-0.20", "+0.10", "-0.90"),
    ("Ann", "Bea", "1/2-1/2", "+0.10", "-0.10", "+0.30"),
    ("Ann", "Bea", "1/2-1/2", "-0.40", "+0.20", "0.00"),
]
GAME = """[White "{0}"]
[Black "{1}"]
[Result "{2}"]

1. e4 {{{3}/12 0.10s}} e5 {{{4}/12 0.10s}} 2. Nf3 {{{5}/12 0.10s}} Nc6 {{-M7/12 0.10s}}
3. Bb5 {{+M6/12 0.10s}} {2}

"""
# So small that the network does not change: the training loss is then that of the network.
NO_CHANGE = ["--epochs", "1", "--batch", "100", "--rate", "1e-9"]


class TestScripts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        run(PROGRAM, "datagen", cls.path("games.epg"), "--nodes", "50", "--positions", str(COUNT))
        run(PROGRAM, "unpack", cls.path("games.epg"), "--out", cls.path("all.bin"))
        data = Path(cls.path("all.bin")).read_bytes()[: COUNT * DATA_POINT]
        assert len(data) == COUNT * DATA_POINT
        cls.data = cls.path("data.bin")
        Path(cls.data).write_bytes(data)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return str(Path(cls.folder.name) / name)

    def train(self, *options):
        """Runs train.py; returns the training loss of each epoch."""
        command = [sys.executable, SCRIPTS / "train.py", self.data, "--device", "cpu", *options]
        return losses(run(*command))

    def rust_loss(self, net):
        """The loss of a network by the Rust trainer."""
        options = ["--begin", net, "--out", self.path("same.net"), *NO_CHANGE]
        return losses(run(PROGRAM, "train", self.data, *options))[0]

    def test_training_lowers_the_loss(self):
        net = self.path("new.net")
        before = self.train("--out", net, *NO_CHANGE)[0]
        self.assertAlmostEqual(before, self.rust_loss(net), delta=1e-4)
        # One epoch of 40 steps; the rate is high because it rises for 200 steps.
        self.train("--out", net, "--epochs", "1", "--batch", "25", "--rate", "0.02")
        after = self.rust_loss(net)
        self.assertLess(after, 0.9 * before)
        # The engine loads the network and plays with it.
        run(PROGRAM, "datagen", "--check", "--games", "1", "--nodes", "50", "--net", net)

        # Both trainers start from that network, find the same loss and write it back unchanged.
        again = self.path("again.net")
        found = self.train("--begin", net, "--out", again, *NO_CHANGE)[0]
        self.assertAlmostEqual(found, after, delta=2e-6)
        self.assertEqual(Path(again).read_bytes(), Path(net).read_bytes())

    def test_probabilities_are_fitted(self):
        games = self.path("games.pgn")
        Path(games).write_text("".join(GAME.format(*game) for game in GAMES))
        output = run(sys.executable, SCRIPTS / "wdl.py", games, "--player", "Ann")
        # Two of Ann's scores in each game; that with a mate does not count.
        self.assertTrue(output.startswith("8 scores"), output)
        for name in ["MIDDLE", "WIDTH"]:
            self.assertRegex(output, rf"const {name}: \[f64; 3\] = \[-?\d+\.\d, ")


def run(*command):
    """Runs a command that must succeed; returns what it prints."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stderr}")
    return done.stdout


def losses(output):
    return [float(loss) for loss in re.findall(r"training loss (\d\.\d+)", output)]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    PROGRAM = str(Path(sys.argv.pop()).resolve())
    unittest.main()
