#!/usr/bin/env python3
"""Kills trainings with SIGKILL at random moments and counts what came of it (docs/resume.md).

  bench/kill.py CORPUS [--kills 50] [--steps 60000] [--every 0.2s] [--seed 1]

Each training is killed once, at a moment drawn anew from all of its time; then its checkpoint, if there is one, must be whole,
nothing else may be left in the folder, and a training that resumes from it must end with the bytes of one that nobody killed.
"""
import argparse, hashlib, os, pathlib, random, subprocess, sys, tempfile, time

IDNE = os.path.abspath(os.environ.get("IDNE", "build/idne"))


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--steps", type=int, default=60000)
    parser.add_argument("--every", default="0.2s")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    chance = random.Random(asked.seed)
    train = [IDNE, "train", asked.corpus, "--preset", "paper", "--steps", str(asked.steps), "--threads", asked.threads]
    early, resumed, wrong = 0, 0, []
    with tempfile.TemporaryDirectory(dir=".") as name:
        folder = pathlib.Path(name)
        model, checkpoint = folder / "m.idne", folder / "r.ck"
        start = time.monotonic()
        subprocess.run([*train, "-o", model], check=True, stderr=subprocess.DEVNULL)
        whole, expected = time.monotonic() - start, digest(model)
        kill = 0
        while kill < asked.kills:
            for path in folder.iterdir():
                path.unlink()
            child = subprocess.Popen([*train, "-o", model, "--checkpoint", checkpoint, "--every", asked.every], stderr=subprocess.DEVNULL)
            start = time.monotonic()
            time.sleep(chance.uniform(0, whole))
            child.kill()
            if child.wait() == 0:  # it was done before
                whole = min(whole, time.monotonic() - start)
                if digest(model) != expected:
                    wrong.append("a training that nobody killed: other bytes")
                continue
            kill += 1
            left = {path.name for path in folder.iterdir()}
            if left - {"r.ck"}:
                wrong.append(f"kill {kill} left {sorted(left)}")
            if not checkpoint.exists():
                early += 1
                continue
            done = subprocess.run([*train, "-o", model, "--resume", checkpoint], capture_output=True, text=True)
            if done.returncode != 0:
                wrong.append(f"kill {kill}: {done.stderr.strip()}")
            elif digest(model) != expected:
                wrong.append(f"kill {kill}: other bytes")
            else:
                resumed += 1
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{asked.kills} kills: {resumed} resumed to the same bytes, {early} before the first checkpoint, {len(wrong)} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
