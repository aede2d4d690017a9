#!/usr/bin/env python3
"""Runs a verb of Epode over a large EPD file on a Ray cluster.

    epode_ray.py [options] IN OUT -- pfga --nodes 100000

The file is cut into shards of so many lines. Each shard goes through `epode VERB - ...` somewhere on
the cluster, and the results are written in the order of the file. What a lost machine was doing is
done again on another one. See README.md beside this file.
"""

import argparse
import atexit
import collections
import contextlib
import hashlib
import itertools
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import time

try:
    import ray
except ImportError:
    ray = None

# The exit status when all was well, when something is wrong with a record, and when something could
# not be read or done.
GOOD, FAULTY, FAILED = 0, 1, 2


class Failure(Exception):
    """Why it cannot go on."""


def shards(lines, size):
    """Cuts lines into lists of so many, with the number of the line before the first."""
    before = 0
    while shard := list(itertools.islice(lines, size)):
        yield before, b"".join(shard)
        before += len(shard)


def is_private(folder):
    """Whether a folder is ours, is no link, and nobody else can write or look into it."""
    try:
        told = os.lstat(folder)
    except FileNotFoundError:
        return False
    return stat.S_ISDIR(told.st_mode) and told.st_uid == os.getuid() and told.st_mode & 0o077 == 0


def private_folder():
    """A folder that nobody else can put a program into."""
    if hasattr(os, "getuid"):
        folder = pathlib.Path(tempfile.gettempdir()) / f"epode-{os.getuid()}"
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        if is_private(folder):
            return folder
    # Somebody else has taken the name, or the system has no users. A new folder is always ours; it
    # goes when this worker does.
    folder = tempfile.mkdtemp(prefix="epode-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return pathlib.Path(folder)


# The programs that this worker has found to be right.
COPIES = {}


def local_copy(digest, program):
    """The program as a file on this machine, written once for all shards that come here."""
    if digest in COPIES and COPIES[digest].exists():
        return COPIES[digest]
    path = private_folder() / f"epode-{digest}"
    if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != digest:
        handle, temporary = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(program)
        os.chmod(temporary, 0o700)
        # At once or not at all: another worker may be doing the same.
        os.replace(temporary, path)
    COPIES[digest] = path
    return path


def analyse(digest, program, arguments, shard):
    """Takes a shard through the verb; returns its status, output and messages."""
    command = [str(local_copy(digest, program)), arguments[0], "-", *arguments[1:]]
    done = subprocess.run(command, input=shard, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def messages(text, before, name):
    """The messages of a shard with the line numbers of the file, without the summary."""
    for line in text.decode(errors="replace").splitlines():
        place, _, rest = line.removeprefix("-:").partition(":")
        if line.startswith("-:") and place.isdigit():
            yield f"{name}:{int(place) + before}:{rest}"


def ended_early(code, told, places):
    """Whether a verb did not get to the end of its shard, for all that it says of lines in it."""
    if code in (GOOD, FAULTY):
        return False
    errors = any(line.startswith(b"epode: ") for line in told.splitlines())
    return code != FAILED or not places or errors


class Progress:
    """How far it is, on one line of a terminal, or now and then a line elsewhere."""

    def __init__(self, quiet):
        self.quiet = quiet
        self.begun = time.monotonic()
        self.told = self.begun
        self.records = 0

    def add(self, records, under_way):
        self.records += records
        now = time.monotonic()
        terminal = sys.stderr.isatty()
        if self.quiet or (not terminal and now - self.told < 60):
            return
        self.told = now
        seconds = now - self.begun
        rate = self.records / max(seconds, 1e-9)
        text = f"{self.records} records, {rate:.1f} a second, {under_way} shards under way"
        print(text, end="\r" if terminal else "\n", file=sys.stderr, flush=True)

    def summary(self, shards_done):
        seconds = time.monotonic() - self.begun
        print(
            f"{self.records} records in {shards_done} shards, {seconds:.1f} s, "
            f"{self.records / max(seconds, 1e-9):.1f} records a second",
            file=sys.stderr,
        )


def run(options, source, sink):
    """Takes everything through the cluster in order; returns the worst status."""
    program = pathlib.Path(options.epode).read_bytes()
    digest = hashlib.sha256(program).hexdigest()
    reference = ray.put(program)
    # A shard that was on a machine which is gone is run again, elsewhere.
    task = ray.remote(max_retries=-1, num_cpus=options.cpus)(analyse)
    # Enough for every processor there is, and as much again to wait for them.
    most = options.ahead or 2 * max(1, int(ray.cluster_resources().get("CPU", 1) / options.cpus))
    progress = Progress(options.quiet)
    waiting = collections.deque()
    status, shards_done = GOOD, 0

    def write_first():
        nonlocal status, shards_done
        before, result = waiting.popleft()
        code, output, told = ray.get(result)
        places = list(messages(told, before, options.input))
        for line in places:
            print(line, file=sys.stderr)
        if ended_early(code, told, places):
            lines = told.decode(errors="replace").splitlines()
            why = "\n".join(line for line in lines if not line.startswith("-:")).strip()
            raise Failure(f"epode ended with status {code} in the lines from {before + 1}: {why}")
        sink.write(output)
        status = max(status, code)
        shards_done += 1
        progress.add(output.count(b"\n"), len(waiting))

    for before, shard in shards(source, options.shard):
        if len(waiting) >= most:
            write_first()
        waiting.append((before, task.remote(digest, reference, options.arguments, shard)))
    while waiting:
        write_first()
    progress.summary(shards_done)
    return status


def read_command_line(words):
    parser = argparse.ArgumentParser(
        description="Runs a verb of Epode over a large EPD file on a Ray cluster.",
        usage="%(prog)s [options] IN OUT -- VERB [options of the verb]",
        epilog="Example: epode_ray.py --address auto games.epd analysed.epd -- pfga --nodes 100000",
    )
    parser.add_argument("input", metavar="IN", help="the EPD file; - for standard input")
    parser.add_argument("output", metavar="OUT", help="where the records go, in the order of IN")
    parser.add_argument("--address", help="the cluster; without it one is started on this machine")
    parser.add_argument("--epode", help="the program, which is copied to every machine (that on PATH)")
    parser.add_argument("--shard", type=int, default=500, help="lines a shard (500)")
    parser.add_argument(
        "--cpus", type=float, default=1, help="processors a shard takes: the --jobs of the verb (1)"
    )
    parser.add_argument("--ahead", type=int, help="shards under way (two for each that can run)")
    parser.add_argument("--quiet", action="store_true", help="tell of no progress")
    end = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:end])
    options.arguments = arguments = words[end + 1 :]
    if not arguments:
        parser.error("expected -- and a verb, such as: -- pfga --nodes 100000")
    options.epode = options.epode or shutil.which("epode")
    if not options.epode:
        parser.error("there is no epode on PATH: name one by --epode")
    if options.shard < 1:
        parser.error("--shard: expected at least 1")
    if options.cpus <= 0:
        parser.error("--cpus: expected more than 0")
    return options


def main(words):
    options = read_command_line(words)
    if ray is None:
        print("epode_ray: Ray is not installed (pip install -r requirements.txt)", file=sys.stderr)
        return FAILED
    started = not ray.is_initialized()
    try:
        if started:
            ray.init(address=options.address, log_to_driver=False, logging_level="warning")
        source = sys.stdin.buffer if options.input == "-" else open(options.input, "rb")
        if options.output == "-":
            return run(options, source, sys.stdout.buffer)
        # Whole or not at all; what is there when something fails is left as OUT.part.
        part = pathlib.Path(options.output + ".part")
        with source, part.open("wb") as sink:
            status = run(options, source, sink)
        part.replace(options.output)
        return status
    except (Failure, OSError) as error:
        print(f"epode_ray: {error}", file=sys.stderr)
        return FAILED
    finally:
        if started:
            ray.shutdown()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
