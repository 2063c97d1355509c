import sys
import tracemalloc

import numpy as np

import main

values = []
for seed in range(5):
    tracemalloc.start()
    w, error = main.train(seed)
    values.append(float(tracemalloc.get_traced_memory()[1]))
    tracemalloc.stop()
    if not error < 0.2:
        print(f"FAIL: mean squared error {error:.3f}")
        sys.exit(1)
series = main.load_series(500, 0)
windows, targets = main.make_windows(series)
if windows.shape != (300, main.WIDTH) or not np.array_equal(windows[7], series[7:207]):
    print(f"FAIL: windows of 500 samples have shape {windows.shape}")
    sys.exit(1)
for seed, value in enumerate(values):
    print(f"metric peak_bytes {seed} {value!r}")
if not all(value <= 8e6 for value in values):
    print(f"FAIL: {max(values):.0f} bytes at the peak for a series of 160000 bytes")
    sys.exit(1)
print(f"PASS: {max(values):.0f} bytes at the peak for a series of 160000 bytes")
