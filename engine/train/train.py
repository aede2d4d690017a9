#!/usr/bin/env python3
"""Train the network of the engine with PyTorch, on a GPU if there is one.

  train.py positions.bin more.bin --out new.net

`epode-train train` does the same on the processor, many times as fast as this script does there (README.md). The
data files are written by `epode-train unpack`, 32 bytes per data point: engine/train/src/data_point.rs
describes them. engine/src/eval/nnue/mod.rs describes the network and its file.

All data points are expanded in the memory of the device: about 160 bytes for each. A GPU is busy only with large
batches, such as `--batch 65536`.
"""
import argparse
import math
import sys
import time
import zlib
from pathlib import Path

import numpy as np
import torch

SQUARES, FEATURES = 64, 768
BUCKETS = 8
HIDDEN = 1024
ONE, OUTPUT_ONE, OUTPUT_LIMIT = 255, 512, 1023
CENTIPAWNS = 400
# 220 as in src/expectation.rs: the centipawns at which the odds are e to 1.
LOG_ODDS = CENTIPAWNS / 220
VERSION = 3
HEAD = b"EPODENET" + np.array([VERSION, HIDDEN, BUCKETS], "<u4").tobytes()
DATA_POINT = 32
# The validation set has whole blocks, because consecutive data points come from the same game.
BLOCK = 4096
VALIDATION_BLOCKS = 50
# In the list of inputs of a side, what follows the last piece.
NO_INPUT = FEATURES
# The width of the matrix of inputs: NO_INPUT has a column too, and GPUs multiply multiples of 8 faster.
WIDTH = FEATURES + 8
# Data points that are expanded at a time.
CHUNK = 1 << 20
# Gradients are this much larger, so that 16 bits can hold them.
GRADIENT_SCALE = 16
WARM_UP = 200


class Net(torch.nn.Module):
    """768 inputs for each side, a hidden layer that both share, an output for each range of piece counts."""

    def __init__(self):
        super().__init__()
        self.inputs = torch.nn.Parameter(torch.empty(FEATURES, HIDDEN))
        self.biases = torch.nn.Parameter(torch.zeros(HIDDEN))
        self.outputs = torch.nn.Parameter(torch.empty(BUCKETS, 2 * HIDDEN))
        self.output_biases = torch.nn.Parameter(torch.zeros(BUCKETS))
        torch.nn.init.uniform_(self.inputs, -1 / math.sqrt(32), 1 / math.sqrt(32))
        torch.nn.init.uniform_(self.outputs, -1 / math.sqrt(2 * HIDDEN), 1 / math.sqrt(2 * HIDDEN))

    @torch.no_grad()
    def clip(self):
        """Limits the weights to what the integers of the engine can hold."""
        self.inputs.clamp_(-1.98, 1.98)
        self.outputs.clamp_(-OUTPUT_LIMIT / OUTPUT_ONE, OUTPUT_LIMIT / OUTPUT_ONE)

    @torch.no_grad()
    def set_from(self, content):
        """Reads the weights from the content of a file."""
        if content[: len(HEAD)] != HEAD or zlib.crc32(content[:-4]).to_bytes(4, "little") != content[-4:]:
            raise ValueError("not a network of this version, or damaged")
        at = len(HEAD)
        for weights, one, kind in self.parts():
            numbers = np.frombuffer(content, kind, weights.numel(), at).astype(np.float32)
            weights.copy_(torch.from_numpy(numbers).view(weights.shape) / one)
            at += numbers.size * np.dtype(kind).itemsize

    @torch.no_grad()
    def to_bytes(self):
        """The content of a file."""
        content = HEAD
        for weights, one, kind in self.parts():
            content += torch.round(weights.cpu().double() * one).numpy().astype(kind).tobytes()
        return content + zlib.crc32(content).to_bytes(4, "little")

    def parts(self):
        """The parts of a file in their order: weights, the integer that stands for 1, and its type."""
        return [
            (self.inputs, ONE, "<i2"),
            (self.biases, ONE, "<i2"),
            (self.outputs, OUTPUT_ONE, "<i2"),
            (self.output_biases, ONE * OUTPUT_ONE, "<i4"),
        ]


class Positions:
    """Data points as lists of inputs, output buckets and targets."""

    def __init__(self, data, device, wdl_weight):
        count = len(data)
        self.inputs = torch.empty(count, 2, 32, dtype=torch.int16, device=device)
        self.buckets = torch.empty(count, dtype=torch.uint8, device=device)
        self.targets = torch.empty(count, device=device)
        for start in range(0, count, CHUNK):
            chunk = slice(start, start + CHUNK)
            self.expand(chunk, torch.from_numpy(data[chunk]).to(device), wdl_weight)

    def expand(self, chunk, data, wdl_weight):
        """Expands some of the data points."""
        device = data.device
        bits = torch.arange(8, dtype=torch.uint8, device=device)
        occupied = (data[:, :8, None] >> bits & 1).reshape(-1, SQUARES).bool()
        rank = occupied.cumsum(1) - 1
        rows, squares = occupied.nonzero(as_tuple=True)
        rank = rank[rows, squares]
        halves = data[:, 8:24]
        codes = torch.stack([halves & 15, halves >> 4], dim=2).reshape(-1, 32)
        code = codes[rows, rank].long()
        side, role = code >> 3, code & 7
        turn = (data[:, 24] & 1).long()
        self.inputs[chunk] = NO_INPUT
        for of in range(2):
            flip = torch.zeros_like(turn)
            is_king = (side == of) & (role == 5)
            flip[rows[is_king]] = 56 * of + 7 * (squares[is_king] >> 2 & 1)
            inputs = (2 * role + (side != of)) * SQUARES + (squares ^ flip[rows])
            half = (turn != of).long()
            self.inputs[chunk][rows, half[rows], rank] = inputs.to(torch.int16)
        self.buckets[chunk] = ((occupied.sum(1) - 2) // 4).clamp(max=BUCKETS - 1).to(torch.uint8)
        score = data[:, 28:30].contiguous().view(torch.int16)[:, 0].float()
        result = data[:, 27].float()
        expected = torch.sigmoid(score / CENTIPAWNS * LOG_ODDS)
        # The positions of side lines have no result.
        target = expected + wdl_weight * (result < 3) * (result / 2 - expected)
        self.targets[chunk] = torch.where(turn == 1, 1 - target, target)

    def batch(self, chosen, kind):
        """The inputs, buckets and targets of the chosen positions. The inputs are numbers of this type, in two
        rows for each position, the side to move first, with a 1 for each active input."""
        inputs = self.inputs[chosen].view(-1, 32).long()
        ones = torch.zeros(len(inputs), WIDTH, dtype=kind, device=inputs.device).scatter_(1, inputs, 1)
        return ones[:, :FEATURES], self.buckets[chosen].long(), self.targets[chosen]


def mean_loss(net, batch, of_sums):
    """The mean squared error in points on a batch. The products are of the type of the inputs. `of_sums` is
    `loss_of_sums` or the same compiled."""
    inputs, buckets, targets = batch
    sums = inputs @ net.inputs.to(inputs.dtype)
    return of_sums(sums, net.biases, net.outputs, net.output_biases, buckets, targets)


def loss_of_sums(sums, biases, outputs, output_biases, buckets, targets):
    """The mean squared error of what follows the products of the inputs."""
    kind = sums.dtype
    hidden = (sums + biases.to(kind)).clamp(0, 1).square().view(-1, 2 * HIDDEN)
    values = (hidden @ outputs.to(kind).T).float() + output_biases
    predicted = torch.sigmoid(values.gather(1, buckets[:, None])[:, 0] * LOG_ODDS)
    return (predicted - targets).square().mean()


def split(count, random):
    """The indices of the training set and of the validation set."""
    blocks = max(1, -(-count // BLOCK))
    chosen = random.choice(blocks, blocks // VALIDATION_BLOCKS, replace=False)
    in_validation = np.isin(np.arange(count) // BLOCK, chosen)
    return np.flatnonzero(~in_validation), np.flatnonzero(in_validation)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--out", required=True, type=Path, help="the network to write")
    parser.add_argument("--begin", type=Path, help="the network to start from")
    parser.add_argument("--epochs", type=int, default=10, help="passes over the data")
    parser.add_argument("--batch", type=int, default=8192, help="data points per step")
    parser.add_argument("--rate", type=float, default=4e-3, help="maximum learning rate")
    parser.add_argument("--wdl-weight", type=float, default=0.1, help="weight of the game result, 0 to 1")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    random = np.random.default_rng(args.seed)

    data = []
    for path in args.data:
        content = np.fromfile(path, np.uint8)
        if content.size % DATA_POINT:
            sys.exit(f"{path}: {content.size} bytes are not a whole number of data points")
        data.append(content.reshape(-1, DATA_POINT))
    data = np.concatenate(data)
    training, validation = split(len(data), random)
    if len(training) < args.batch:
        sys.exit(f"{len(training)} data points to train on are fewer than one batch")
    print(
        f"{len(training)} data points in the training set, {len(validation)} in the validation set",
        flush=True,
    )

    net = Net()
    if args.begin:
        try:
            net.set_from(args.begin.read_bytes())
        except (OSError, ValueError) as error:
            sys.exit(f"{args.begin}: {error}")
    net.to(args.device)
    positions = Positions(data, args.device, args.wdl_weight)
    training, validation = (torch.from_numpy(part).to(args.device) for part in (training, validation))
    kind, of_sums = torch.float32, loss_of_sums
    if args.device.startswith("cuda"):
        kind, of_sums = torch.float16, torch.compile(loss_of_sums, dynamic=False)
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.01)
    steps = args.epochs * (len(training) // args.batch)
    start = time.monotonic()
    step = 0
    for epoch in range(args.epochs):
        order = training[torch.randperm(len(training), device=args.device)]
        total = torch.zeros((), device=args.device)
        count = len(training) // args.batch
        for chosen in order[: count * args.batch].view(count, args.batch):
            done = step / steps
            warm = min(1, step / WARM_UP)
            for group in optimizer.param_groups:
                group["lr"] = args.rate * warm * (0.01 + 0.99 * (1 + math.cos(math.pi * done)) / 2)
            loss = mean_loss(net, positions.batch(chosen, kind), of_sums)
            optimizer.zero_grad(set_to_none=True)
            # The gradient of each position, not of their mean, is what 16 bits must hold.
            (loss * (args.batch * GRADIENT_SCALE)).backward()
            for weights in net.parameters():
                weights.grad /= args.batch * GRADIENT_SCALE
            optimizer.step()
            net.clip()
            total += loss.detach()
            step += 1
        with torch.no_grad():
            parts = validation.split(args.batch) if len(validation) else ()
            losses = [
                mean_loss(net, positions.batch(part, torch.float32), loss_of_sums).item() * len(part)
                for part in parts
            ]
        rate = step * args.batch / (time.monotonic() - start)
        validation_loss = f"validation loss {sum(losses) / len(validation):.6f}, " if losses else ""
        print(
            f"epoch {epoch + 1}: training loss {total.item() / count:.6f}, "
            f"{validation_loss}{rate:.0f} data points a second",
            flush=True,
        )
        args.out.write_bytes(net.to_bytes())


if __name__ == "__main__":
    main()
