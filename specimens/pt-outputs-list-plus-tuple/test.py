import sys

import torch

import main

norms = main.layer_norms(torch.tensor([[3, 14, 15, 9, 26]]))
if len(norms) != 4 or not all(n > 0 for n in norms):
    print(f"FAIL: lengths after embedding and three layers are {norms}")
    sys.exit(1)
torch.manual_seed(0)
outputs = main.SmallDecoder()(torch.tensor([[1, 2]]))
if len(outputs) != 2 or len(outputs[1]) != 3:
    print(f"FAIL: {len(outputs)} outputs, wanted logits and the past of three layers")
    sys.exit(1)
print("PASS: hidden states of all layers are returned on request")
