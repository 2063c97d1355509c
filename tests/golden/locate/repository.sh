# A small repository `repo` with a history of three commits, always the same to the bit:
#   . "$LW_SOURCE/tests/golden/locate/repository.sh"
# and `report.md`, a report about it. Ends the case with 77 where there is no git.
command -v git >/dev/null || { echo "git is missing"; exit 77; }
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@x GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@x
export GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL

# put FILE: writes what comes in.
put() {
    mkdir -p "repo/$(dirname "$1")"
    cat >"repo/$1"
}

# commit DATE MESSAGE: everything, quietly.
commit() {
    git -C repo add -A
    GIT_AUTHOR_DATE=$1 GIT_COMMITTER_DATE=$1 git -C repo commit -q --allow-empty -m "$2"
}

git init -q -b main repo
put pkg/__init__.py <<'P'
from .trainer import Trainer
P
put pkg/losses.py <<'P'
"""Losses of the models."""
import torch


def smooth_loss(prediction, target, epsilon=0.1):
    """Cross entropy with smoothed labels."""
    if prediction.shape != target.shape:
        raise ValueError("prediction and target differ in shape")
    return -(target * torch.log(prediction + epsilon)).sum()


class FocalLoss:
    def __init__(self, gamma):
        self.gamma = gamma

    def forward(self, prediction, target):
        return smooth_loss(prediction, target) * self.gamma
P
put pkg/trainer.py <<'P'
from pkg.losses import smooth_loss
from pkg.data.loader import BatchLoader


class Trainer:
    """Trains a model on the batches of a loader."""

    def __init__(self, model, loader):
        self.model, self.loader = model, loader

    def fit(self, epochs):
        for _ in range(epochs):
            for batch, label in BatchLoader(self.loader):
                smooth_loss(self.model(batch), label).backward()

    def save_checkpoint(self, path):
        """Writes the weights of the model."""
        return path
P
put pkg/data/loader.py <<'P'
class BatchLoader:
    """Batches of a data set, shuffled by a seed."""

    def __init__(self, data, batch_size=8, seed=0):
        self.data, self.batch_size, self.seed = data, batch_size, seed

    def __iter__(self):
        return iter(self.data)
P
put tests/test_losses.py <<'P'
from pkg.losses import smooth_loss
P
put native/Kernel.java <<'P'
package native_;
import java.util.List;

/** The gradient kernel. */
class Kernel {
    String name = "gradient overflow";
    double gradient(List<Double> batch) { return batch.get(0); }
}
P
put web/plot.js <<'P'
// Draws the loss of each epoch.
function drawLoss(values) { return values.map(v => v.loss); }
P
commit 2020-01-01T00:00:00Z "First"
FIRST=$(git -C repo rev-parse HEAD)
printf '\n\ndef clip(value):\n    return value\n' >>repo/pkg/losses.py
commit 2020-02-01T00:00:00Z "Fix overflow of the loss"
SECOND=$(git -C repo rev-parse HEAD)
printf '\n    def __len__(self):\n        return len(self.data)\n' >>repo/pkg/data/loader.py
commit 2020-03-01T00:00:00Z "Length of a loader"
THIRD=$(git -C repo rev-parse HEAD)

cat >report.md <<'P'
ValueError in the loss when labels are smoothed

Training stops in the first epoch:

```
Traceback (most recent call last):
  File "train.py", line 9, in <module>
    Trainer(model, loader).fit(3)
  File "/usr/lib/python3/site-packages/pkg/trainer.py", line 14, in fit
    smooth_loss(self.model(batch), label).backward()
  File "/usr/lib/python3/site-packages/pkg/losses.py", line 8, in smooth_loss
    raise ValueError("prediction and target differ in shape")
ValueError: prediction and target differ in shape
```
P

# A set of three reports.
new_set() {
    mkdir -p repos
    mv repo repos/owner+name
    cat >set.jsonl <<P
{"project": "owner+name", "id": "1", "open_date": "2020-01-05T00:00:00Z", "summary": "Loss overflows", "description": "smooth_loss gives inf for a batch", "buggy_commit": "$FIRST", "fix_commit": "$SECOND", "truth": ["pkg/losses.py"], "type": "tensor"}
{"project": "owner+name", "id": "2", "open_date": "2020-02-05T00:00:00Z", "summary": "len of a loader", "description": "TypeError: BatchLoader has no len(), batches cannot be counted", "buggy_commit": "$SECOND", "fix_commit": "$THIRD", "truth": ["pkg/data/loader.py", "pkg/trainer.py"], "type": "api"}
{"project": "owner+name", "id": "3", "open_date": "2020-03-05T00:00:00Z", "summary": "Checkpoint is empty", "description": "The weights of the model are not written", "buggy_commit": "$THIRD", "truth": ["pkg/trainer.py"], "type": "tensor"}
P
}
