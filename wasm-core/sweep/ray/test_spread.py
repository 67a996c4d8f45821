"""The recipe, run for real on one node: what Ray's tasks measured is what one program measures.

    pip install ray pyarrow && python test_spread.py PATH/TO/ringside-sweep

Not part of npm test, which needs neither Python's packages nor Ray.
"""

import filecmp
import pathlib
import subprocess
import sys
import tempfile

import pyarrow.csv
import pyarrow.parquet

HERE = pathlib.Path(__file__).parent
FILES = ["sweep.json", "runs.csv", "runs.parquet", "points.csv", "points.parquet", "knees.csv"]
SWEEP = ["--vary", "connections=1..4", "--vary", "irq_affinity=spread,fixed", "--seeds", "1..2", "today-rps"]


def main(program):
    program = str(pathlib.Path(program).resolve())
    with tempfile.TemporaryDirectory() as folder:
        whole, spread = pathlib.Path(folder, "whole"), pathlib.Path(folder, "spread")
        subprocess.run([program, *SWEEP, "--threads", "1", "--out", str(whole)], check=True, capture_output=True)
        asked = [sys.executable, str(HERE / "spread.py"), "--program", program, "--parts", "3"]
        subprocess.run([*asked, "--out", str(spread), "--", *SWEEP], check=True)
        same, other, missing = filecmp.cmpfiles(whole, spread, FILES, shallow=False)
        assert (sorted(same), other, missing) == (sorted(FILES), [], []), (same, other, missing)
        # Another reader of both forms sees the same values.
        for name, rows in (("runs", 16), ("points", 8)):
            parquet = pyarrow.parquet.read_table(spread / f"{name}.parquet")
            text = pyarrow.csv.read_csv(spread / f"{name}.csv")
            assert parquet.num_rows == rows == text.num_rows, name
            for column in parquet.column_names:
                one, two = parquet[column].to_pylist(), text[column].to_pylist()
                assert one == two, (name, column)
        # What a task says when it fails is what the person reads.
        wrong = [*asked, "--out", str(spread), "--", "--vary", "rx_rings=1", "today-rps"]
        ended = subprocess.run(wrong, check=False, capture_output=True, text=True)
        assert ended.returncode == 1 and "unknown field settings.rx_rings" in ended.stderr, ended.stderr
    print("ok: 16 runs in 3 parts by Ray are those of one program, to the byte")


if __name__ == "__main__":
    main(*sys.argv[1:])
