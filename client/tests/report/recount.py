"""Recounts what `epode report` says, by other means: texts of moves in place of moves, fractions in
place of logarithms. Takes result files as pfts writes them; prints the numbers as JSON."""

import json
import math
import re
import sys
from fractions import Fraction
from statistics import fmean, median


def read(path):
    """The records of a file: operations by opcode, each a list of words."""
    records = []
    for line in open(path, encoding="utf-8"):
        fields = line.split(" ", 4)
        words = re.findall(r'"[^"]*"|;|[^\s;]+', fields[4])
        record, operation = {"position": " ".join(fields[:4])}, []
        for word in words:
            if word == ";":
                record[operation[0]] = [text.strip('"') for text in operation[1:]]
                operation = []
            else:
                operation.append(word)
        records.append(record)
    return records


def status(record):
    best, avoid = record.get("bm"), record.get("am")
    if not best and not avoid:
        return "untargeted"
    choice = (record.get("pm") or record.get("pv") or [None])[0]
    if choice is None:
        return "unanswered"
    good = (not best or choice in best) and (not avoid or choice not in avoid)
    return "solved" if good else "missed"


def points(record):
    """The points of the choice and of the best move, where c0 has some."""
    pairs = re.findall(r"([^\s,=]+(?:=[QRBN])?[+#]?)=(\d+)", record.get("c0", [""])[0])
    if not pairs:
        return None
    worth = {move: int(number) for move, number in pairs}
    return worth.get(record.get("pm", [None])[0], 0), max(worth.values())


def milliseconds(clock):
    if ":" not in clock:
        return round(float(clock) * 1000)
    days, rest, fraction = clock.split(".")
    hours, minutes, seconds = map(int, rest.split(":"))
    return (((int(days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + int(fraction)


def amount(record, part, measure):
    if part == "solution":
        if status(record) != "solved":
            return None
        opcode = {"nodes": "Scn", "milliseconds": "Sct", "plies": "Scd"}[measure]
    else:
        opcode = {"nodes": "acn", "milliseconds": "cte", "plies": "acd"}[measure]
        if measure == "milliseconds" and "cte" not in record:
            return int(record["acs"][0]) * 1000 if "acs" in record else None
    if opcode not in record:
        return None
    return milliseconds(record[opcode][0]) if measure == "milliseconds" else int(record[opcode][0])


def theme(record):
    name = re.sub(r" \([^()]*\)$", "", record["name"])
    found = re.fullmatch(r"(.*?[^\d .\-_#:/])[ .\-_#:/]*\d+", name)
    words = found.group(1) if found else name
    after = re.search(r"(?:^|[ #])\d+[ .\-_#:/),]+(.+)", words)
    return after.group(1) if after else found and words


def score(records):
    statuses = [status(record) for record in records]
    worth = [points(record) for record in records if points(record)]
    return {
        **{name: statuses.count(name) for name in ["solved", "missed", "unanswered"]},
        "points": sum(one for one, _ in worth) if worth else None,
        "most_points": sum(most for _, most in worth) if worth else None,
    }


def totals(records):
    pairs = [(amount(r, "whole", "nodes"), amount(r, "whole", "milliseconds")) for r in records]
    both = [pair for pair in pairs if None not in pair]
    time = sum(time for _, time in both)
    sums = [sum(n for n in column if n is not None) or None for column in zip(*pairs)]
    return {
        **score(records),
        "records": len(records),
        "untargeted": [status(record) for record in records].count("untargeted"),
        "nodes": sums[0],
        "milliseconds": sums[1],
        "nodes_per_second": sum(nodes for nodes, _ in both) * 1000 / time if time else None,
    }


def distribution(part, measure, bins, files):
    samples = [[amount(record, part, measure) for record in records] for records in files]
    samples = [sorted(n for n in sample if n is not None) for sample in samples]
    spreads = [
        {
            "count": len(sample),
            "least": sample[0],
            "median": float(median(sample)),
            "mean": fmean(sample),
            "most": sample[-1],
        }
        if sample
        else None
        for sample in samples
    ]
    counts = [[sum(b["from"] <= n <= b["to"] for n in sample) for b in bins] for sample in samples]
    return [{"spread": s, "counts": c} for s, c in zip(spreads, counts)]


def curve(measure, records):
    sample = [amount(record, "solution", measure) for record in records]
    sample = [n for n in sample if n is not None]
    return [[n, sum(other <= n for other in sample)] for n in sorted(set(sample))]


def sign_test(one, other):
    every, few = one + other, min(one, other)
    tail = sum(math.comb(every, k) for k in range(few + 1))
    return float(min(Fraction(2 * tail, 2**every), 1))


def key(record):
    return record["id"][0] if "id" in record else record["position"]


def compare(first, second):
    others = {key(record): record for record in second}
    others.update({record["position"]: record for record in second})
    pairs = [(r, others.get(key(r), others.get(r["position"]))) for r in first]
    pairs = [p for p in pairs if p[1] and all(status(r) != "untargeted" for r in p)]
    solved = [tuple(status(record) == "solved" for record in pair) for pair in pairs]
    only = [solved.count((True, False)), solved.count((False, True))]
    sooner = []
    for measure in ["milliseconds", "nodes"]:
        amounts = [[amount(r, "solution", measure) for r in pair] for pair in pairs]
        amounts = [pair for pair in amounts if None not in pair]
        less = [sum(a < b for a, b in amounts), sum(a > b for a, b in amounts)]
        if amounts:
            equal = len(amounts) - sum(less)
            sooner.append(
                {"measure": measure, "less": less, "equal": equal, "p": sign_test(*less)}
            )
    return {
        "records": len(pairs),
        "both": solved.count((True, True)),
        "only": only,
        "neither": solved.count((False, False)),
        "p": sign_test(*only),
        "sooner": sooner,
    }


def main():
    """The first argument is the report, for the bins; the others are the files."""
    report = json.load(open(sys.argv[1], encoding="utf-8"))
    files = [read(path) for path in sys.argv[2:]]
    # A record without an id has that of the same position elsewhere.
    names = {r["position"]: r["id"][0] for records in files for r in records if "id" in r}
    for record in (record for records in files for record in records):
        record["name"] = record.get("id", [names.get(record["position"], "")])[0]
    themes = [found["name"] for found in report["themes"]]
    assert set(themes) == {theme(record) for records in files for record in records}
    recount = {
        "files": [totals(records) for records in files],
        "themes": [
            [score([r for r in records if theme(r) == name]) for records in files]
            for name in themes
        ],
        "distributions": [
            distribution(d["part"], d["measure"], d["bins"], files)
            for d in report["distributions"]
        ],
        "curves": [[curve(c["measure"], records) for records in files] for c in report["curves"]],
        "comparisons": [compare(*(files[i] for i in c["files"])) for c in report["comparisons"]],
    }
    json.dump(recount, sys.stdout)


main()
