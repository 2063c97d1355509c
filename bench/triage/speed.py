#!/usr/bin/python3
"""Triage of 5,000 reports on one core, and of one report of 10 MB, against scikit-learn.

The peer gets the texts alone and does the part of the work that is a linear model: TF-IDF of words and pairs,
logistic regression over the same seven types, learnt beforehand on the same reports. Ours reads the JSON lines, finds
the facts and writes all of triage.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import time

SOURCE = os.environ.get("LW_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(os.environ.get("LW_BUILD") or os.path.join(SOURCE, "build"), "lacewing")
NAMES = ("triage/speed", "triage/large")
REPORTS, LARGE = 5000, 10 << 20
TOPICS = {"model": "layer attention encoder decoder weights activation", "tensor": "tensor shape dimension index reshape dtype",
          "training": "loss optimizer gradient epoch accuracy metric", "gpu": "cuda gpu device driver distributed memory",
          "api": "argument import deprecated attribute keyword version", "data": "dataset loader batch tokenizer vocabulary csv",
          "other": "docs install logger docker pytest config"}


def make_report(rng):
    topic = rng.choice(sorted(TOPICS))
    words = TOPICS[topic].split() + "the a model fails when we call it with our data on this machine since last week".split()
    sentence = lambda: " ".join(rng.choice(words) for _ in range(14)).capitalize() + "."
    frames = "".join(f'  File "pkg/mod{i}.py", line {rng.randrange(900)}, in call{i}\n    return self.step(x)\n' for i in range(6))
    code = "import torch\nmodel = torch.nn.Linear(10, 2)\nfor epoch in range(3):\n    loss = criterion(model(x), y)\n    loss.backward()\n"
    body = "\n\n".join(" ".join(sentence() for _ in range(4)) for _ in range(5))
    return topic, sentence(), f"{body}\n\n```python\n{code * 3}```\n\nTraceback (most recent call last):\n{frames}ValueError: {sentence()}\n"


def seconds(*argv):
    """Processor time of a program."""
    child = subprocess.Popen(argv, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    assert status == 0, argv
    return usage.ru_utime + usage.ru_stime


def main():
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        for name in NAMES:
            print(f"bench {name}: skipped python3-sklearn")
        return
    rng = random.Random(3)
    reports = [make_report(rng) for _ in range(REPORTS)]
    texts = [f"{title}\n{body}" for _, title, body in reports]
    vectors = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
    model = LogisticRegression(max_iter=200).fit(vectors.fit_transform(texts[:500]), [t for t, _, _ in reports[:500]])

    def peer(some):
        start = time.process_time()
        model.predict_proba(vectors.transform(some))
        return time.process_time() - start

    with tempfile.TemporaryDirectory() as folder:
        name, large = os.path.join(folder, "set.jsonl"), os.path.join(folder, "large.md")
        with open(name, "w", encoding="utf-8") as out:
            for i, (_, title, body) in enumerate(reports):
                out.write(json.dumps({"id": i, "summary": title, "description": body}) + "\n")
        big = texts[0]
        while len(big) < LARGE:
            big += "\n" + texts[len(big) % REPORTS]
        with open(large, "w", encoding="utf-8") as out:
            out.write(big[:LARGE])
        ours = [min(seconds(PROGRAM, "triage", name, "--format", "json-lines", "--jobs", "1") for _ in range(2)),
                min(seconds(PROGRAM, "triage", large) for _ in range(2))]
    theirs = [peer(texts), peer([big[:LARGE]])]
    print(f"{REPORTS} reports of {sum(map(len, texts)) / REPORTS:.0f} characters: {ours[0]:.2f} s; 10 MB: {ours[1]:.2f} s", file=sys.stderr)
    for which, mine, other, target in zip(NAMES, ours, theirs, (0.2, 1.0)):
        ratio = other / mine
        print(f"bench {which}: ours {mine:.3f} s peer scikit-learn {other:.3f} s ratio {ratio:.2f} target {target} "
              + ("ok" if ratio >= target else "short"))


if __name__ == "__main__":
    main()
