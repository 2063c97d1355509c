#!/usr/bin/python3
"""`lacewing check` on one script and on 500,000 lines, in processor time (user and system of all
threads), since the machine may be shared; against what was asked for ("goal": 30 ms and 40 MB for a
script, 6 s on 2 cores for the lines, which is 12 s of processor time), torchshapeflow and pyflakes.

The lines are those of the folders in $LW_CORPUS (separated by colons, one a repository), files in
order until there are 500,000; without it that part is skipped. On the first 190,000 of them also:
processor time with one job against pyflakes, wall time with two jobs against one (best on two quiet
cores), and the largest memory; and on each whole repository the processor time a line, of which the
largest counts. torchshapeflow is taken from $LW_TORCHSHAPEFLOW (its
folder src) or as installed, pyflakes from Debian's package pyflakes3. PyTea needs a Node package of
its own that Debian does not have.
"""
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = os.environ.get("LW_SOURCE") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LACEWING = os.path.join(os.environ.get("LW_BUILD") or os.path.join(SOURCE, "build"), "lacewing")
PYTHON = "/usr/bin/python3"
LINES = 500_000
FEWER_LINES = 190_000
LEAST_LINES = 1000  # of a repository that is measured by itself
RUNS = 20

SCRIPT = '''
import torch
from torch import nn, optim
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


class Net(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 32, 3, padding=1)
        self.conv2 = nn.Conv2d(32, 64, 3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.fc1 = nn.Linear(64 * 7 * 7, 128)
        self.fc2 = nn.Linear(128, classes)

    def forward(self, x):
        x = self.pool(torch.relu(self.conv1(x)))
        x = self.pool(torch.relu(self.conv2(x)))
        x = x.view(x.size(0), -1)
        return self.fc2(torch.relu(self.fc1(x)))


def train(model, loader, optimizer, criterion, device):
    model.train()
    total = 0.0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


def main():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor())
    loader = DataLoader(data, batch_size=64, shuffle=True)
    model = Net().to(device)
    optimizer = optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(10):
        print(epoch, train(model, loader, optimizer, criterion, device))


if __name__ == "__main__":
    main()
'''


def measure(command):
    """Processor seconds, seconds of the wall, and the largest memory in MB."""
    start = time.monotonic()
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"{command[:4]} ... ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1024


def best(command, runs):
    return min(measure(command)[0] for _ in range(runs))


def torchshapeflow():
    """The command, or None."""
    folder = os.environ.get("LW_TORCHSHAPEFLOW")
    path = f"sys.path.insert(0, {folder!r}); " if folder else ""
    code = f"import sys; {path}from torchshapeflow.cli import entrypoint; sys.exit(entrypoint())"
    found = subprocess.run([PYTHON, "-c", code, "--help"], capture_output=True).returncode == 0
    return [PYTHON, "-c", code, "check"] if found else None


def line(name, ours, unit, peer, theirs, target):
    ratio = theirs / ours
    print(f"bench check/{name}: ours {ours:.4g} {unit} peer {peer} {theirs:.4g} {unit} "
          f"ratio {ratio:.3g} target {target} {'ok' if ratio >= target else 'short'}", flush=True)
    return ratio >= target


def against_peers(name, ours, unit, scale, paths, runs, peers):
    fine = True
    for peer, command, target in peers:
        if command:
            fine &= line(f"{name}-{peer}", ours, unit, peer, best([*command, *paths], runs) * scale, target)
        else:
            print(f"bench check/{name}-{peer}: skipped {peer} is not installed", flush=True)
    return fine


def script(peers):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "train.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(SCRIPT)
        ours = best([LACEWING, "check", path], RUNS) * 1000
        memory = measure([LACEWING, "check", path])[2]
        fine = line("script", ours, "ms", "goal", 30, 1)
        fine &= line("script-memory", memory, "MB", "goal", 40, 1)
        return fine & against_peers("script", ours, "ms", 1000, [path], 5, peers)


def roots():
    return [root for root in os.environ.get("LW_CORPUS", "").split(":") if root]


def copy_corpus(folder, enough):
    """Files of the corpus until there are enough lines, laid out as they were; lines and files."""
    files = lines = 0
    for number, root in enumerate(roots()):
        for here, folders, names in os.walk(root):
            folders.sort()
            into = os.path.join(folder, str(number), os.path.relpath(here, root))
            for name in sorted(names):
                path = os.path.join(here, name)
                if not name.endswith(".py") or not os.path.isfile(path) or lines >= enough:
                    continue
                os.makedirs(into, exist_ok=True)
                shutil.copy(path, into)
                with open(path, "rb") as file:
                    lines += file.read().count(b"\n")
                files += 1
    return lines, files


def many_lines(peers):
    if not roots():
        print("bench check/lines: skipped LW_CORPUS names no folders of Python files", flush=True)
        return True
    cores = min(2, os.cpu_count() or 1)
    with tempfile.TemporaryDirectory() as folder:
        lines, files = copy_corpus(folder, LINES)
        results = [measure([LACEWING, "check", "--jobs", str(cores), "--format", "json", folder]) for _ in range(3)]
        ours, wall, memory = min(results)
        print(f"{lines} lines, {files} files: {ours:.2f} s of processor time, {wall:.2f} s on {cores} cores, "
              f"{memory:.0f} MB", file=sys.stderr)
        per = 1e6 / lines
        fine = line("lines", ours * per, "us/line", "goal", 12 * 1e6 / LINES, 1)
        return fine & against_peers("lines", ours * per, "us/line", per, [folder], 1, peers)


def check(jobs, path):
    return [LACEWING, "check", "--jobs", str(jobs), "--format", "json", path]


def jobs_and_memory(pyflakes):
    """One job and two by turns, since the machine may be shared."""
    names = ("pyflakes-190k", "two-jobs", "memory", "memory-two-jobs")
    if not roots():
        for name in names:
            print(f"bench check/{name}: skipped LW_CORPUS names no folders of Python files", flush=True)
        return True
    with tempfile.TemporaryDirectory() as folder:
        lines, files = copy_corpus(folder, FEWER_LINES)
        one, two = zip(*[(measure(check(1, folder)), measure(check(2, folder))) for _ in range(5)])
        print(f"{lines} lines, {files} files: {min(one)[0]:.2f} s of processor time", file=sys.stderr)
        fine = line("memory", max(m for _, _, m in one), "MB", "goal", 150, 1)
        fine &= line("memory-two-jobs", max(m for _, _, m in two), "MB", "goal", 200, 1)
        if (os.cpu_count() or 1) > 1:
            fine &= line("two-jobs", min(w for _, w, _ in two), "s", "one-job", min(w for _, w, _ in one), 1.7)
        else:
            print("bench check/two-jobs: skipped there is one core", flush=True)
        per = 1e6 / lines
        if not pyflakes:
            print("bench check/pyflakes-190k: skipped pyflakes is not installed", flush=True)
            return fine
        theirs = best([*pyflakes, folder], 3) * per
        return fine & line("pyflakes-190k", min(one)[0] * per, "us/line", "pyflakes", theirs, 2.5)


def slowest_repository():
    slowest, which = 0, None
    for root in roots():
        done = subprocess.run(check(1, root), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
        lines = json.loads(done.stdout)["statistics"]["lines"]
        if lines >= LEAST_LINES:
            slowest, which = max((slowest, which or ""), (best(check(1, root), 3) / lines * 1e6, root))
    if not which:
        print("bench check/slowest-repository: skipped LW_CORPUS names no repositories", flush=True)
        return True
    print(f"slowest: {os.path.basename(which)}", file=sys.stderr)
    return line("slowest-repository", slowest, "us/line", "goal", 60, 1)


def main():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    pyflakes = shutil.which("pyflakes3")
    peers = [("torchshapeflow", torchshapeflow(), 1), ("pyflakes", [pyflakes] if pyflakes else None, 1)]
    fine = script(peers) & many_lines(peers) & jobs_and_memory(peers[1][1])
    return 0 if fine & slowest_repository() else 1


sys.exit(main())
