import sys

import torch

import main

policy = main.learn(seed=0)(torch.eye(7)).argmax(dim=1)[:6].tolist()
if policy != [1] * 6:
    print(f"FAIL: best actions of the six cells are {policy}, wanted only 1")
    sys.exit(1)
print("PASS: the agent goes right from every cell")
