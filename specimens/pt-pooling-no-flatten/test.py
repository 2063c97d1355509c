import sys

import torch

import main

torch.manual_seed(0)
model = main.build_model()
main.fit(model, seed=0)
model.eval()
pictures, quarter = main.make_pictures(200, torch.Generator().manual_seed(1))
with torch.no_grad():
    scores = model(pictures)
if tuple(scores.shape) != (200, 4):
    print(f"FAIL: scores of 200 pictures have shape {tuple(scores.shape)}")
    sys.exit(1)
accuracy = (scores.argmax(dim=1) == quarter).float().mean().item()
if accuracy < 0.8:
    print(f"FAIL: accuracy on new pictures is {accuracy:.3f}")
    sys.exit(1)
print(f"PASS: accuracy on new pictures is {accuracy:.3f}")
