import sys

import main


def graph_size(loss):
    """The number of operations that a backward pass from this loss goes through."""
    seen, todo = set(), [loss.grad_fn]
    while todo:
        node = todo.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        todo.extend(following for following, _ in node.next_functions)
    return len(seen)


values = []
for seed in range(5):
    sizes = []
    losses = main.train(seed, watch=lambda loss: sizes.append(graph_size(loss)))
    if not losses[-1] < losses[0]:
        print(f"FAIL: the loss went from {losses[0]:.3f} to {losses[-1]:.3f}")
        sys.exit(1)
    values.append(float(sizes[-1]))
for seed, value in enumerate(values):
    print(f"metric graph_nodes {seed} {value!r}")
if not all(value <= 600 for value in values):
    print(f"FAIL: the last chunk's graph has {max(values):.0f} operations, wanted at most 600")
    sys.exit(1)
print(f"PASS: the last chunk's graph has {max(values):.0f} operations")
