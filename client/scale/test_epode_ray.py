#!/usr/bin/env python3
"""Runs the recipe on a cluster of two nodes on this machine, one of which is lost on the way.

    python3 test_epode_ray.py [PATH OF EPODE [WHEEL OF THE PYTHON PACKAGE]]

Without Ray only what needs no cluster is tested, which is said and no failure; so it is without a wheel
or GNU parallel.
"""

import contextlib
import hashlib
import io
import os
import pathlib
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "1")

try:
    import ray
    from ray.cluster_utils import Cluster
except ImportError:
    print("no cluster to test: Ray is not installed (pip install -r client/scale/requirements.txt)")
    ray = None

import epode_ray
import epode_ray_parquet

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SUITE = (ROOT / "suites" / "bratko-kopec.epd").read_text().splitlines()
ILLEGAL = "4k3/8/8/8/8/8/4R3/4K3 w - -"
EPODE = str(ROOT / "target" / "release" / "epode")
VERB = ["pfga", "--nodes", "5000"]
WHEEL = None
# A mate by each side, a line with castling, and what is no legal position.
FENS = [
    "7k/8/5KQ1/8/8/8/8/8 w - -",
    "8/8/8/8/8/5kq1/8/7K b - -",
    "rnbq1rk1/pp3ppp/4pn2/2bp4/8/5NP1/PP2PPBP/RNBQK2R w KQ -",
    "8/8/8/8/8/8/8/K7 w - -",
    "x",
]


class LocalCopies(unittest.TestCase):
    """The program is never another than the one that was sent."""

    PROGRAM = b"#!/bin/sh\necho ours\n"
    DIGEST = hashlib.sha256(PROGRAM).hexdigest()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        patch = unittest.mock.patch.object(tempfile, "tempdir", folder.name)
        patch.start()
        self.addCleanup(patch.stop)

    def copy(self):
        """The copy that a worker makes which has made none before."""
        epode_ray.COPIES.clear()
        self.addCleanup(epode_ray.COPIES.clear)
        path = epode_ray.local_copy(self.DIGEST, self.PROGRAM)
        self.assertEqual(path.read_bytes(), self.PROGRAM)
        self.assertEqual(subprocess.check_output([path]), b"ours\n")
        for place in (path, path.parent):
            self.assertEqual(stat.S_IMODE(place.stat().st_mode), 0o700, place)
        return path

    def test_a_copy_is_made_once_in_a_private_folder(self):
        path = self.copy()
        self.assertEqual(path.parent, self.folder / f"epode-{os.getuid()}")
        made = path.stat().st_ino
        self.assertEqual(self.copy(), path)
        self.assertEqual(path.stat().st_ino, made)
        # One that is gone is made again, for the same worker too.
        path.unlink()
        self.assertEqual(epode_ray.local_copy(self.DIGEST, self.PROGRAM), path)
        self.assertTrue(path.exists())

    def test_a_program_that_lies_there_is_not_run(self):
        theirs = b"#!/bin/sh\necho theirs\n"
        for name in (f"epode-{self.DIGEST[:16]}", f"epode-{self.DIGEST}"):
            (self.folder / name).write_bytes(theirs)
        path = self.copy()
        path.write_bytes(theirs)
        self.assertEqual(self.copy(), path)

    def test_a_folder_of_somebody_else_is_not_used(self):
        taken = self.folder / f"epode-{os.getuid()}"
        taken.mkdir()
        taken.chmod(0o777)
        path = self.copy()
        self.assertNotEqual(path.parent, taken)
        self.assertEqual(os.listdir(taken), [])
        taken.rmdir()
        # Neither is a link, wherever it leads.
        target = self.folder / "target"
        target.mkdir(mode=0o700)
        taken.symlink_to(target)
        self.assertNotEqual(self.copy().parent, taken)
        self.assertEqual(os.listdir(target), [])
        taken.unlink()
        # Nor a private folder of another user.
        taken.mkdir(mode=0o700)
        self.assertTrue(epode_ray.is_private(taken))
        with unittest.mock.patch.object(os, "getuid", return_value=os.getuid() + 1):
            self.assertFalse(epode_ray.is_private(taken))


class WithParallel(unittest.TestCase):
    """The line for GNU parallel in the README."""

    @unittest.skipIf(shutil.which("parallel") is None, "GNU parallel is not installed")
    def test_the_output_is_that_of_one_machine(self):
        readme = (HERE / "README.md").read_text()
        [line] = [line for line in readme.splitlines() if line.startswith("parallel --pipepart")]
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "games.epd"
            source.write_text("".join(line + "\n" for line in SUITE))
            small = line.replace("--block 1M", "--block 1k").replace("100000", "5000")
            small = small.replace(" epode ", f" {shlex.quote(EPODE)} ")
            subprocess.run(small, shell=True, cwd=folder, check=True, stderr=subprocess.DEVNULL)
            found = (pathlib.Path(folder) / "analysed.epd").read_bytes()
            alone = subprocess.run(
                [EPODE, VERB[0], source, *VERB[1:]], capture_output=True, check=True
            )
        self.assertEqual(found, alone.stdout)


@unittest.skipIf(ray is None, "Ray is not installed")
class OnTwoNodes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
        cls.second = cls.cluster.add_node(num_cpus=1)
        ray.init(address=cls.cluster.address, log_to_driver=False, logging_level="error")
        cls.cluster.wait_for_nodes()

    @classmethod
    def tearDownClass(cls):
        ray.shutdown()
        cls.cluster.shutdown()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compare(self, lines, verb, shard, status):
        """What the cluster writes is what one machine writes, byte for byte."""
        source = self.folder / "in.epd"
        source.write_text("".join(line + "\n" for line in lines))
        alone = subprocess.run(
            [EPODE, verb[0], str(source), *verb[1:]], capture_output=True, check=False
        )
        self.assertEqual(alone.returncode, status, alone.stderr)
        output = self.folder / "out.epd"
        words = ["--epode", EPODE, "--quiet", "--shard", str(shard), str(source), str(output), "--"]
        self.assertEqual(epode_ray.main(words + verb), status)
        self.assertEqual(output.read_bytes(), alone.stdout)
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.epd", "out.epd"])
        return alone

    def test_1_the_output_is_that_of_one_machine(self):
        self.assertEqual(len([node for node in ray.nodes() if node["Alive"]]), 2)
        self.compare(SUITE, VERB, 5, 0)
        self.compare(SUITE + [ILLEGAL], ["pfts", "--depth", "3"], 7, 1)
        self.compare([], VERB, 5, 0)

    def test_2_messages_have_the_lines_of_the_file(self):
        told = b"-:2: illegal\n-:3:9: bad\n1 analysed; 5 nodes in 0.01 s, 500 nodes a second\n"
        told = list(epode_ray.messages(told, 10, "x.epd"))
        self.assertEqual(told, ["x.epd:12: illegal", "x.epd:13:9: bad"])

    def test_3_a_wrong_command_is_told(self):
        verb = ["in", "out", "--", "pfga"]
        for words in (verb[:2], verb[:3], ["--shard", "0", *verb], ["--cpus", "0", *verb]):
            with self.assertRaises(SystemExit):
                epode_ray.read_command_line(["--epode", EPODE, *words])
        source = self.folder / "in.epd"
        source.write_text(f"{SUITE[0]}\n{SUITE[1]}\n{SUITE[2]} bm \n")
        for words, shard, told in (
            ([str(source), "pfga"], 9, "status 2 in the lines from 1: error: "),
            ([str(source), "pfga", "--depth", "1", "--strict"], 2, "status 2 in the lines from 3: "),
            ([str(self.folder / "none.epd"), "pfga"], 9, "No such file"),
        ):
            output = self.folder / "out.epd"
            words = ["--epode", EPODE, "--shard", str(shard), words[0], str(output), "--", *words[1:]]
            with contextlib.redirect_stderr(io.StringIO()) as stderr:
                self.assertEqual(epode_ray.main(words), epode_ray.FAILED)
            self.assertIn(told, stderr.getvalue())
            self.assertFalse(output.exists())

    def test_2_a_shard_that_dies_is_told_from_one_with_bad_lines(self):
        places = ["x.epd:2: given up: no time"]
        for code, told, expected in (
            (0, b"", False),
            (1, b"-:2: given up\n1 analysed", False),
            (2, b"-:2:9: bad\n1 analysed", False),
            (2, b"-:2:9: bad\nepode: stopped at line 2 of -", True),
            (-9, b"-:2: given up", True),
        ):
            self.assertEqual(epode_ray.ended_early(code, told, places), expected, told)
        self.assertTrue(epode_ray.ended_early(2, b"error: no such verb", []))

    def parquet(self, words):
        """Runs the script for Parquet, as another program on the same cluster."""
        words = ["--address", self.cluster.address, "--quiet", *words]
        script = [sys.executable, HERE / "epode_ray_parquet.py", *words]
        return subprocess.run(script, cwd=self.folder, capture_output=True, text=True, check=False)

    def test_3_parquet_comes_in_and_goes_out(self):
        if WHEEL is None or epode_ray_parquet.pyarrow is None:
            self.skipTest("no wheel, or no Ray Data: Parquet is not tested")
        from pyarrow import parquet, table

        fens = [" ".join(line.split()[:4]) for line in SUITE] + FENS
        parquet.write_table(table({"id": range(len(fens)), "fen": fens}), self.folder / "in.parquet")
        words = ["--wheel", WHEEL, "--nodes", "2000", "--batch", "7", "in.parquet", "out"]
        done = self.parquet(words)
        self.assertEqual(done.returncode, epode_ray_parquet.FAULTY, done.stderr)
        bad = "".join(f"not a legal position: {fen}\n" for fen in fens[-2:])
        self.assertEqual(done.stderr, f"{bad}{len(fens)} positions, 2 not analysed\n")
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.parquet", "out"])
        found = parquet.read_table(self.folder / "out")
        self.assertEqual(found.schema.remove_metadata(), epode_ray_parquet.schema())
        rows = found.to_pylist()
        self.assertEqual([row["fen"] for row in rows], fens)
        self.assertEqual(rows, list(self.rows_of_the_program(fens)))
        self.assertEqual([row["mate"] for row in rows[-5:-3]], [1, -1])
        self.assertIn("e1h1", rows[-3]["line"].split())
        # More than one task wrote them.
        self.assertGreater(len(os.listdir(self.folder / "out")), 1)
        # It does not write over what is there.
        self.assertEqual(self.parquet(words).returncode, epode_ray_parquet.FAILED)

    def rows_of_the_program(self, fens):
        """What `epode pfga` finds, in the words of the data set."""
        library = self.folder / "library"
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", library, WHEEL]
        subprocess.run(pip, check=True)
        sys.path.insert(0, str(library))
        self.addCleanup(sys.path.remove, str(library))
        import epode

        verb = [EPODE, "pfga", "-", "--nodes", "2000"]
        alone = subprocess.run(verb, input="\n".join(fens), capture_output=True, text=True, check=False)
        lines = alone.stdout.splitlines()
        self.assertEqual(len(lines), len(fens), alone.stderr)
        for fen, line in zip(fens, lines):
            if fen in FENS[-2:]:
                yield {"fen": fen, **dict.fromkeys(("line", "depth", "knodes", "cp", "mate"))}
                continue
            record = epode.Record.parse(line, chess960=True)
            sign = 1 if " w " in fen else -1
            plies = 32767 - abs(record["ce"])
            moves = (plies + 1) // 2 * (1 if record["ce"] > 0 else -1)
            yield {
                "fen": fen,
                "line": " ".join(record["pv"]),
                "depth": record["acd"],
                "knodes": round(record["acn"] / 1000),
                "cp": sign * record["ce"] if plies > 1000 else None,
                "mate": sign * moves if plies <= 1000 else None,
            }

    def test_3_a_wrong_command_for_parquet_is_told(self):
        for words, told in (
            (["in", "out"], "expected a limit: --nodes, --depth or --time"),
            (["--nodes", "0", "in", "out"], "--nodes: expected more than 0"),
            (["--nodes", "5", "--wheel", "none.whl", "in", "out"], "there is no file none.whl"),
            (["--nodes", "5", "in", str(self.folder)], "expected a new folder"),
        ):
            with self.assertRaises(SystemExit) as ended:
                with contextlib.redirect_stderr(io.StringIO()) as stderr:
                    epode_ray_parquet.read_command_line(words)
            self.assertEqual(ended.exception.code, epode_ray_parquet.FAILED)
            self.assertIn(told, stderr.getvalue())
        if epode_ray_parquet.pyarrow is not None:
            done = self.parquet(["--nodes", "5", "none.parquet", "out"])
            self.assertEqual(done.returncode, epode_ray_parquet.FAILED)
            self.assertIn("none.parquet", done.stderr)
            self.assertFalse((self.folder / "out").exists())

    def test_4_what_a_lost_node_did_is_done_again(self):
        taken = []

        def lose():
            # Without its first node there is no cluster: the second goes.
            self.cluster.remove_node(self.second, allow_graceful=False)
            taken.append(True)

        # It goes when shards have come back from the cluster and others are there.
        write = epode_ray.Progress.add

        def add(progress, records, under_way):
            if not taken and under_way > 0:
                thread = threading.Thread(target=lose)
                thread.start()
                thread.join()
            write(progress, records, under_way)

        epode_ray.Progress.add = add
        self.addCleanup(setattr, epode_ray.Progress, "add", write)
        self.compare(SUITE, ["pfga", "--nodes", "100000"], 3, 0)
        self.assertTrue(taken)
        # The cluster may learn of it only when all is done.
        self.cluster.wait_for_nodes(timeout=60)
        self.assertEqual(len([node for node in ray.nodes() if node["Alive"]]), 1)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        EPODE = str(pathlib.Path(sys.argv.pop(1)).resolve())
    if len(sys.argv) > 1 and sys.argv[1].endswith(".whl"):
        WHEEL = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
