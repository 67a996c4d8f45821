"""A sweep's Parquet files, opened by two readers that share no code with what wrote them: DuckDB and pyarrow.

    pip install duckdb pyarrow && python test_readers.py PATH/TO/ringside-sweep

Each column has to hold what the CSV beside it holds, as the type that is meant, and what a run has none of has to
be null. Not part of npm test, which needs none of Python's packages.
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import duckdb
import pyarrow.parquet

# A number and a word are varied; the workload stays in the host, so that its runs have no interrupts.
SWEEP = ["--vary", "connections=1,2,4", "--vary", "kernel=2.4.20,2.6.3", "--seeds", "1..2", "ba-fig5-uni"]
TYPES = {"connections": "BIGINT", "kernel": "VARCHAR", "seed": "BIGINT", "seeds": "BIGINT"}


def written(path):
    """The CSV as rows of texts by column; what is empty is nothing."""
    with path.open(newline="") as file:
        return [{name: text or None for name, text in row.items()} for row in csv.DictReader(file)]


def as_typed(name, text):
    if text is None or TYPES.get(name) == "VARCHAR":
        return text
    return int(text) if TYPES.get(name) == "BIGINT" else float(text)


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        asked = [str(pathlib.Path(program).resolve()), *SWEEP, "--out", folder]
        subprocess.run(asked, check=True, capture_output=True)
        for name, count in (("runs", 12), ("points", 6)):
            rows = written(pathlib.Path(folder, f"{name}.csv"))
            rows = [{column: as_typed(column, text) for column, text in row.items()} for row in rows]
            assert len(rows) == count, (name, len(rows))
            assert any(row["interrupts_per_s"] is None for row in rows), "nothing is null in this test"
            path = pathlib.Path(folder, f"{name}.parquet")
            found = duckdb.sql(f"SELECT * FROM '{path}'")
            for column, kind in zip(found.columns, found.types):
                assert str(kind) == TYPES.get(column, "DOUBLE"), (name, column, kind)
            assert [dict(zip(found.columns, row)) for row in found.fetchall()] == rows, name
            table = pyarrow.parquet.read_table(path)
            assert table.to_pylist() == rows, name
            said = json.loads(table.schema.metadata[b"ringside.sweep"])
            assert said["varied"] == ["connections", "kernel"], said
        question = f"SELECT kernel, max(throughput_mbit) FROM '{folder}/points.parquet' GROUP BY kernel"
        best = dict(duckdb.sql(question).fetchall())
        assert set(best) == {"2.4.20", "2.6.3"} and all(value > 0 for value in best.values()), best
    print(f"ok: DuckDB {duckdb.__version__} and pyarrow {pyarrow.__version__} read what the CSV holds")


if __name__ == "__main__":
    main(*sys.argv[1:])
