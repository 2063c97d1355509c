import torch
from torch import nn

cell = nn.GRUCell(4, 4)
state = torch.zeros(1, 4)
for chunk in range(9):
    for _ in range(12):
        state = cell(torch.zeros(1, 4), state)
    torch.autograd.grad(state.sum(), list(cell.parameters()), retain_graph=True)
seen, todo = set(), [state.grad_fn]
while todo:
    node = todo.pop()
    if node is not None and node not in seen:
        seen.add(node)
        todo.extend(following for following, _ in node.next_functions)
print("metric graph_nodes 0", len(seen))
