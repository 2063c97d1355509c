import sys

import main


class CountingWatch(main.Watch):
    calls = 0

    def note(self, name, value):
        CountingWatch.calls += 1
        super().note(name, value)


values = []
for seed in range(5):
    CountingWatch.calls = 0
    history = main.train(seed, watch_class=CountingWatch)
    if len(history) != 12 or any(len(means) != 2 for _, means in history):
        print("FAIL: not every epoch has the activations of both hidden layers")
        sys.exit(1)
    values.append(float(CountingWatch.calls))
for seed, value in enumerate(values):
    print(f"metric hook_calls {seed} {value!r}")
if not all(value <= 30 for value in values):
    print(f"FAIL: {max(values):.0f} calls of hooks for 12 evaluations of 2 layers, wanted 24")
    sys.exit(1)
print(f"PASS: {max(values):.0f} calls of hooks for 12 evaluations of 2 layers")
