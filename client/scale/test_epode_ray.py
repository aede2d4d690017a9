#!/usr/bin/env python3
"""Runs the recipe on a cluster of two nodes on this machine, one of which is lost on the way.

    python3 test_epode_ray.py [PATH OF EPODE]

Without Ray there is nothing to test, which is said and no failure.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "1")

try:
    import ray
    from ray.cluster_utils import Cluster
except ImportError:
    print("nothing to test: Ray is not installed (pip install -r client/scale/requirements.txt)")
    sys.exit(0)

import epode_ray

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SUITE = (ROOT / "suites" / "bratko-kopec.epd").read_text().splitlines()
ILLEGAL = "4k3/8/8/8/8/8/4R3/4K3 w - -"
EPODE = str(ROOT / "target" / "release" / "epode")
VERB = ["pfga", "--nodes", "5000"]


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
        for words in (["in", "out"], ["in", "out", "--"], ["--shard", "0", "in", "out", "--", "pfga"]):
            with self.assertRaises(SystemExit):
                epode_ray.read_command_line(["--epode", EPODE, *words])
        source = self.folder / "in.epd"
        source.write_text(SUITE[0] + "\n")
        with self.assertRaisesRegex(SystemExit, "status 2: error: "):
            words = ["--epode", EPODE, str(source), str(self.folder / "out.epd"), "--", "pfga"]
            epode_ray.main(words)
        self.assertFalse((self.folder / "out.epd").exists())

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
        self.assertEqual(len([node for node in ray.nodes() if node["Alive"]]), 1)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        EPODE = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
