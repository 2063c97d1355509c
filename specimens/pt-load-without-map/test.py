import os
import sys
import tempfile

os.environ["CUDA_VISIBLE_DEVICES"] = ""

import torch
from torch import serialization

import main


def save_as_on_gpu(model, path):
    """Writes the checkpoint as a machine with a GPU does: every storage is tagged cuda:0."""
    kept = list(serialization._package_registry)
    serialization.register_package(0, lambda storage: "cuda:0", lambda storage, location: None)
    main.save(model, path, epoch=7)
    serialization._package_registry[:] = kept


torch.manual_seed(0)
model = main.LanguageNet()
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "language.pt")
    save_as_on_gpu(model, path)
    loaded, epoch = main.load(path)
text = "hyvää huomenta"
if epoch != 7 or not torch.equal(loaded(text), model(text)):
    print(f"FAIL: epoch {epoch}, or other scores than those of the saved model")
    sys.exit(1)
print("PASS: the checkpoint of a GPU machine is used on the CPU")
