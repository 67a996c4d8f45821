"""One sweep over the machines of a Ray cluster; on one machine over its cores.

    python spread.py --program ringside-sweep --parts 16 --out FOLDER -- \
        --vary rx_ring=64..4096:*2 --seeds 1..10 SCENARIO

What stands behind -- is what ringside sweep is asked. Each part is one Ray task that runs
`ringside-sweep --part K/N` with one thread in a folder of its own and gives back its lines;
the driver puts them together with --take, so the tables are those of one go, to the byte.
SCENARIO is a shipped one, or a file that is sent along. The program has to be on every machine under
the same name; it needs nothing but the C library.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import ray

# What a part leaves that the whole is made of.
KEPT = ("sweep.json", "runs.csv")


# A machine that is lost costs its parts again: a run depends on nothing but its scenario and its seed.
@ray.remote(num_cpus=1, max_retries=3)
def part(program, words, scenario, number, of):
    """Runs one part and gives its files, by name."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "part")
        if scenario is not None:
            name = pathlib.Path(folder, "scenario.json")
            name.write_text(scenario, encoding="utf-8")
            words = [*words[:-1], str(name)]
        asked = [program, *words, "--part", f"{number}/{of}", "--threads", "1", "--out", str(out)]
        ended = subprocess.run(asked, capture_output=True, text=True, check=False)
        if ended.returncode != 0:
            raise RuntimeError(ended.stderr.strip())
        return {name: (out / name).read_bytes() for name in KEPT}


def spread(program, words, parts, out):
    """Runs all parts and puts them together in a folder."""
    scenario = pathlib.Path(words[-1])
    text = scenario.read_text(encoding="utf-8") if scenario.is_file() else None
    waiting = {part.remote(program, words, text, number, parts): number for number in range(1, parts + 1)}
    with tempfile.TemporaryDirectory() as folder:
        taken = []
        while waiting:
            (ended, *_), _ = ray.wait(list(waiting), num_returns=1)
            number = waiting.pop(ended)
            kept = pathlib.Path(folder, f"part-{number}")
            kept.mkdir()
            for name, content in ray.get(ended).items():
                (kept / name).write_bytes(content)
            taken += ["--take", str(kept)]
            print(f"part {number} of {parts} is there, {len(waiting)} to come", file=sys.stderr)
        return subprocess.run([program, *words, *taken, "--out", str(out)], check=False).returncode


def main():
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--program", default="ringside-sweep")
    reader.add_argument("--parts", type=int, help="as many as the cluster has cores")
    reader.add_argument("--out", required=True)
    reader.add_argument("--address", help="of a running cluster; else one is begun here")
    reader.add_argument("words", nargs="+")
    asked = reader.parse_args()
    ray.init(address=asked.address, include_dashboard=False, log_to_driver=False)
    parts = asked.parts or int(ray.cluster_resources()["CPU"])
    try:
        return spread(asked.program, asked.words, parts, asked.out)
    except ray.exceptions.RayTaskError as error:
        print(error.cause, file=sys.stderr)
        return 1
    finally:
        ray.shutdown()


if __name__ == "__main__":
    sys.exit(main())
