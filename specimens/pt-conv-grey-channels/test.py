import sys

import numpy as np
import torch

import main

torch.manual_seed(0)
labels = main.label_folder(main.Net(), count=20, seed=0)
if len(labels) != 20 or not set(labels) <= set(main.KINDS):
    print(f"FAIL: labels of 20 pictures are {labels}")
    sys.exit(1)
grey = np.full((20, 20), 51, dtype=np.uint8)
tensor = main.to_tensor(grey)
if tuple(tensor.shape) != (3, 20, 20) or not torch.allclose(tensor, torch.full((3, 20, 20), 0.2)):
    print(f"FAIL: a grey picture became {tuple(tensor.shape)}")
    sys.exit(1)
print("PASS: grey and colour pictures get a label")
