#!/usr/bin/env python3
"""Kills the program with SIGKILL at random moments and counts what came of it (docs/resume.md, docs/living.md).

  bench/kill.py CORPUS [--what train|update|watch] [--kills 50] [--steps 60000] [--every 0.2s] [--seed 1]

train: each training is killed once, at a moment drawn anew from all of its time; then its checkpoint, if there is one, must be
whole, nothing else may be left in the folder, and a training that resumes from it must end with the bytes of one that nobody killed.
update: a tenth of the corpus's documents is brought into a model of the others, which has an index, in its place; after a kill the
model must be the old or the new one, byte for byte, and nothing else may be left.
watch: notes made of the corpus's documents change, and `idne watch` is killed while it follows; after a kill the model must be whole,
nothing else may be left, and the next watch must end with the model that follows the notes.
"""
import argparse, hashlib, json, os, pathlib, random, subprocess, sys, tempfile, time

from server import make_index

IDNE = os.path.abspath(os.environ.get("IDNE", "build/idne"))


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def kill_trainings(asked, chance):
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
    return wrong, f"{resumed} resumed to the same bytes, {early} before the first checkpoint"


def kill_updates(asked, chance):
    lines = open(pathlib.Path(asked.corpus) / "documents.jsonl", encoding="utf-8").readlines()
    wrong, old_ones, new_ones = [], 0, 0
    with tempfile.TemporaryDirectory(dir=".") as name:
        folder = pathlib.Path(name)
        (folder / "first.jsonl").write_text("".join(line for n, line in enumerate(lines) if n % 10), encoding="utf-8")
        (folder / "late.jsonl").write_text("".join(lines[::10]), encoding="utf-8")
        model = folder / "m.idne"
        subprocess.run([IDNE, "train", folder / "first.jsonl", "-o", model], check=True, stderr=subprocess.DEVNULL)
        make_index(IDNE, model)
        index = folder / "m.idne.index"
        before, index_before = model.read_bytes(), index.read_bytes()
        start = time.monotonic()
        update = [IDNE, "update", model, folder / "late.jsonl", "-o", model]
        subprocess.run(update, check=True, stderr=subprocess.DEVNULL)
        whole, old, new = time.monotonic() - start, hashlib.sha256(before).hexdigest(), digest(model)
        names = {path.name for path in folder.iterdir()}
        for kill in range(1, asked.kills + 1):
            model.write_bytes(before)
            index.write_bytes(index_before)
            child = subprocess.Popen(update, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, whole))
            child.kill()
            child.wait()
            now = digest(model)
            old_ones, new_ones = old_ones + (now == old), new_ones + (now == new)
            if now not in (old, new):
                wrong.append(f"kill {kill}: neither the old nor the new model")
            if left := {path.name for path in folder.iterdir()} ^ names:
                wrong.append(f"kill {kill} left {sorted(left)}")
            for path in folder.iterdir():
                if path.name not in names:
                    path.unlink()
    return wrong, f"{old_ones} left the old model, {new_ones} the new one"


def kill_watches(asked, chance):
    documents = [json.loads(line) for line in open(pathlib.Path(asked.corpus) / "documents.jsonl", encoding="utf-8")][:300]
    wrong = []
    with tempfile.TemporaryDirectory(dir=".") as name:
        folder = pathlib.Path(name)
        vault, model = folder / "notes", folder / "m.idne"
        vault.mkdir()
        for n, document in enumerate(documents):
            (vault / f"n{n}.md").write_text(f"{document['text']}\n\n[[n{(n + 7) % len(documents)}]]\n", encoding="utf-8")
        for kill in range(1, asked.kills + 1):
            child = subprocess.Popen([IDNE, "watch", vault, "-o", model], stderr=subprocess.PIPE, text=True)
            end = time.monotonic() + chance.uniform(0, 1.5)
            while time.monotonic() < end:
                (vault / f"n{chance.randrange(len(documents))}.md").write_text(documents[chance.randrange(len(documents))]["text"], encoding="utf-8")
                time.sleep(chance.uniform(0.05, 0.3))
            child.kill()
            child.communicate()
            left = {path.name for path in folder.iterdir()} - {"notes", "m.idne", "m.idne.corpus"}
            left |= {path.name for path in (folder / "m.idne.corpus").iterdir()} - {"documents.jsonl"} if (folder / "m.idne.corpus").exists() else set()
            if left:
                wrong.append(f"kill {kill} left {sorted(left)}")
            if model.exists() and subprocess.run([IDNE, "info", model], capture_output=True).returncode != 0:
                wrong.append(f"kill {kill}: the model is not whole")
        child = subprocess.Popen([IDNE, "watch", vault, "-o", model], stderr=subprocess.PIPE, text=True)
        for line in child.stderr:
            if "following" in line:
                break
        child.terminate()
        child.communicate()
        report = json.loads(subprocess.run([IDNE, "update", model, folder / "m.idne.corpus", "--whole", "-o", folder / "x.idne", "--format", "json"], capture_output=True, check=True).stdout)
        if report["added"] + report["changed"] + report["removed"]:
            wrong.append(f"the model does not follow the notes: {report}")
    return wrong, "the model was whole each time and followed the notes in the end"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus")
    parser.add_argument("--what", choices=["train", "update", "watch"], default="train")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--steps", type=int, default=60000)
    parser.add_argument("--every", default="0.2s")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    wrong, outcome = {"train": kill_trainings, "update": kill_updates, "watch": kill_watches}[asked.what](asked, random.Random(asked.seed))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{asked.kills} kills: {outcome if not wrong else 'see above'}, {len(wrong)} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
