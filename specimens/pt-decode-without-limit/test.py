import sys

import torch

import main

LIMIT = 500


class TooMany(Exception):
    pass


def decode_steps(model, numbers):
    """Calls of the decoder for all numbers; a decoding is given up after LIMIT of them."""
    total, step = 0, model.step
    for number in numbers:
        count = 0

        def counted(word, state):
            nonlocal count
            count += 1
            if count > LIMIT:
                raise TooMany
            return step(word, state)

        model.step = counted
        try:
            main.spell(model, number)
        except TooMany:
            pass
        model.step = step
        total += count
    return total


values = []
for seed in range(5):
    fresh = main.train(seed, steps=0)
    with torch.no_grad():
        fresh.out.bias[main.END] -= 1.0  # whatever it says at the beginning, it is not the end
    values.append(float(decode_steps(fresh, [1, 42, 427, 5150, 90210, 123456])))
trained = main.train(0)
right = sum(main.spell(trained, n)[:-1] == [main.WORDS[int(d) + 2] for d in str(n)]
            for n in (123, 427, 590))
if right < 2:
    print(f"FAIL: {right} of 3 numbers are spelt right after training")
    sys.exit(1)
for seed, value in enumerate(values):
    print(f"metric decode_steps {seed} {value!r}")
if not all(value <= LIMIT for value in values):
    print(f"FAIL: {max(values):.0f} steps to decode six numbers, and no end in sight")
    sys.exit(1)
print(f"PASS: at most {max(values):.0f} steps to decode six numbers")
