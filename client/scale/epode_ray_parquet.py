#!/usr/bin/env python3
"""Analyses the positions of Parquet files on a Ray cluster, with Epode's Python package in the workers.

    epode_ray_parquet.py [options] --nodes 100000 IN OUT

IN is a Parquet file, a folder of them, or a URL such as s3://bucket/folder, with a column `fen`. OUT is a
folder or a URL for Parquet files with the columns of the public data sets of position evaluations
(https://huggingface.co/datasets/Lichess/chess-position-evaluations): fen, line, depth, knodes, cp, mate. See
README.md beside this file.
"""

import argparse
import hashlib
import io
import logging
import os
import pathlib
import shutil
import sys
import tempfile
import zipfile

try:
    import pyarrow
    import pyarrow.compute
    import pyarrow.dataset
    import ray.data
    import ray.cloudpickle
except ImportError:
    pyarrow = ray = None

import epode_ray

# The exit status when all was well, when a position cannot be analysed, and when something could not be
# read or done.
GOOD, FAULTY, FAILED = 0, 1, 2

# How many bad positions are named.
NAMED = 5


def schema():
    integers = [pyarrow.field(name, pyarrow.int64()) for name in ("depth", "knodes", "cp", "mate")]
    texts = [pyarrow.field(name, pyarrow.string()) for name in ("fen", "line")]
    return pyarrow.schema(texts + integers)


def unpacked(digest, wheel):
    """The folder of a wheel on this machine, made once for all workers of a user."""
    folder = epode_ray.private_folder() / f"epode-wheel-{digest}"
    if not folder.is_dir():
        temporary = tempfile.mkdtemp(dir=folder.parent)
        with zipfile.ZipFile(io.BytesIO(ray.get(wheel))) as archive:
            archive.extractall(temporary)
        try:
            # At once or not at all: another worker may be doing the same.
            os.rename(temporary, folder)
        except OSError:
            shutil.rmtree(temporary)
    return folder


def row(fen, limits):
    """A row of the data set. Its numbers are White's, and castling is the king that takes its rook."""
    # It is in the workers, but perhaps not where this script runs.
    import epode

    empty = dict.fromkeys(("line", "depth", "knodes", "cp", "mate"))
    try:
        position = epode.Position(fen, chess960=True)
    except (TypeError, epode.PositionError):
        return {"fen": fen, **empty}
    found = epode.analyze(position, **limits)
    sign = 1 if position.turn == "white" else -1
    return {
        "fen": fen,
        "line": " ".join(found.pv),
        "depth": found.acd,
        "knodes": round(found.acn / 1000),
        "cp": None if found.cp is None else sign * found.cp,
        "mate": None if found.mate is None else sign * found.mate,
    }


def analyse(batch, limits, digest, wheel):
    """The rows of a batch of positions."""
    if wheel is not None and (folder := str(unpacked(digest, wheel))) not in sys.path:
        sys.path.insert(0, folder)
    rows = [row(fen, limits) for fen in batch.column("fen").to_pylist()]
    return pyarrow.Table.from_pylist(rows, schema=schema())


def run(options, target):
    """Takes all rows through the cluster, and writes them in their order."""
    limits = {"nodes": options.nodes, "depth": options.depth, "time": options.time}
    limits["threads"] = max(1, int(options.cpus))
    digest = wheel = None
    if options.wheel:
        content = pathlib.Path(options.wheel).read_bytes()
        digest, wheel = hashlib.sha256(content).hexdigest(), ray.put(content)
        # The workers have no file epode_ray.py.
        ray.cloudpickle.register_pickle_by_value(epode_ray)
    context = ray.data.DataContext.get_current()
    context.execution_options.preserve_order = True
    if options.quiet:
        context.enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.ERROR)
    positions = ray.data.read_parquet(absolute(options.input)).select_columns(["fen"])
    # A file is one block: cut it, so that all processors have work.
    positions = positions.repartition(target_num_rows_per_block=options.batch)
    rows = positions.map_batches(
        analyse,
        fn_kwargs={"limits": limits, "digest": digest, "wheel": wheel},
        batch_format="pyarrow",
        batch_size=options.batch,
        num_cpus=options.cpus,
    )
    rows.write_parquet(target)


def absolute(path):
    """A path for the workers, whose current folder is another; a URL is as it is."""
    return path if "://" in path else str(pathlib.Path(path).resolve())


def check(target):
    """How many rows there are, how many positions were not analysed, and the first of these."""
    written = pyarrow.dataset.dataset(target, format="parquet")
    bad = pyarrow.compute.field("line").is_null()
    first = written.scanner(columns=["fen"], filter=bad).head(NAMED)
    return written.count_rows(), written.count_rows(filter=bad), first.column("fen").to_pylist()


def read_command_line(words):
    parser = argparse.ArgumentParser(
        description="Analyses the positions of Parquet files on a Ray cluster.",
        epilog="Example: epode_ray_parquet.py --address auto --wheel epode.whl --nodes 100000 in.parquet out",
    )
    parser.add_argument("input", metavar="IN", help="Parquet files with a column fen: a file, folder or URL")
    parser.add_argument("output", metavar="OUT", help="a new folder, which all machines share, or a URL")
    parser.add_argument("--address", help="the cluster; without it one is started on this machine")
    parser.add_argument("--wheel", help="the wheel of the package epode, which is sent to every machine; "
                        "without it the package must be installed there")
    parser.add_argument("--nodes", type=int, help="nodes for each position")
    parser.add_argument("--depth", type=int, help="plies for each position")
    parser.add_argument("--time", type=float, help="seconds for each position")
    parser.add_argument("--batch", type=int, default=500, help="positions of a task (500)")
    parser.add_argument("--cpus", type=float, default=1, help="processors and threads of a search (1)")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    options = parser.parse_args(words)
    if options.nodes is None and options.depth is None and options.time is None:
        parser.error("expected a limit: --nodes, --depth or --time")
    for name in ("nodes", "depth", "time", "batch", "cpus"):
        value = getattr(options, name)
        if value is not None and not value > 0:
            parser.error(f"--{name}: expected more than 0")
    if options.wheel and not pathlib.Path(options.wheel).is_file():
        parser.error(f"--wheel: there is no file {options.wheel}")
    if "://" not in options.output and pathlib.Path(options.output).exists():
        parser.error(f"{options.output} exists: expected a new folder")
    return options


def main(words):
    options = read_command_line(words)
    if ray is None:
        print("epode_ray_parquet: Ray Data is not installed (pip install -r requirements.txt)", file=sys.stderr)
        return FAILED
    # Whole or not at all; what there is when something fails is left in OUT.part. Other stores than file
    # systems cannot rename a folder.
    is_folder = "://" not in options.output
    target = absolute(options.output) + (".part" if is_folder else "")
    try:
        ray.init(address=options.address, log_to_driver=False, logging_level="warning")
        run(options, target)
        count, bad, named = check(target)
        if is_folder:
            pathlib.Path(target).rename(options.output)
    # Ray has no exception that all of its own derive from.
    except Exception as error:
        print(f"epode_ray_parquet: {error}", file=sys.stderr)
        return FAILED
    finally:
        ray.shutdown()
    for fen in named:
        print(f"not a legal position: {fen}", file=sys.stderr)
    print(f"{count} positions, {bad} not analysed", file=sys.stderr)
    return FAULTY if bad else GOOD


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
