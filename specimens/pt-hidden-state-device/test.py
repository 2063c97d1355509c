import sys

import torch

import main

torch.manual_seed(0)
shape = tuple(main.simulate(torch.device("meta")).shape)
if shape != (4, 5, 3):
    print(f"FAIL: commands on the second device have shape {shape}")
    sys.exit(1)
commands = main.simulate(torch.device("cpu"))
if torch.allclose(commands[0], commands[1]):
    print("FAIL: the state is not carried from tick to tick")
    sys.exit(1)
print("PASS: the state is created where the weights are")
