"""What the numeric benchmarks share: the driver, processor time, and the line they print."""
import os
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests",
                                "scripts"))


def report(name, ours, peer, peer_name, target, unit="s"):
    """One line; seconds: the ratio is peer/ours; a rate: ours/peer. Higher is better."""
    ratio = peer / ours if unit == "s" else ours / peer
    print(f"bench numeric/{name}: ours {ours:.4g} {unit} peer {peer_name} {peer:.4g} {unit} "
          f"ratio {ratio:.3g} target {target} {'ok' if ratio >= target else 'short'}", flush=True)


def skip(names, missing):
    for name in names:
        print(f"bench numeric/{name}: skipped {missing}", flush=True)


def best(repeats, call):
    """Least processor time of the process over several calls: one core, whatever else runs."""
    least = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        call()
        least = min(least, time.process_time() - start)
    return least
