"""Reads CSV and JSON lines of `epode convert` with DuckDB, without a line of code about their columns.

    duckdb.py FILE...

For each file, prints the names and types of columns, and the answers to questions that need types.
"""

import json
import sys

# Not the folder of this file, whose name is that of the module.
sys.path.pop(0)
import duckdb  # noqa: E402


def main(paths):
    for path in paths:
        ask = lambda question: duckdb.sql(question.format(f"'{path}'")).fetchall()
        columns = {name: kind for name, kind, *_ in ask("describe from {}")}
        answers = [
            ask("select count(*), sum(acn)::bigint, max(ce) - min(ce) from {}")[0],
            [name for (name,) in ask("select id from {} where ce > 150 and acd >= 5 order by ce desc, id")],
            ask("select turn, count(*) from {} group by turn order by turn"),
            ask("select count(*) from {} where contains(bm, pm)")[0],
        ]
        print(json.dumps([columns, answers]))


main(sys.argv[1:])
