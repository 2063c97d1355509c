# Reports that the cases of triage, hints and template read.
cat >nan.md <<'END'
Loss is nan after the first epoch

I train a small network on random data. The loss is nan from the second step on, whatever
learning rate I use. I expect it to fall.

```python
import torch
model = torch.nn.Sequential(torch.nn.Linear(10, 32), torch.nn.ReLU(), torch.nn.Linear(32, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=10.0)
```

I have torch 1.7.1 and Python 3.8.
END
cat >windows.md <<'END'
Import fails on Windows after upgrading numpy

After upgrading numpy to 1.20 the import raises an error. It works with numpy 1.19.4.

```
Traceback (most recent call last):
  File "train.py", line 3, in <module>
    import mylib
  File "C:\mylib\__init__.py", line 1, in <module>
    from numpy import int
ImportError: cannot import name 'int' from 'numpy'
```
END
cat >device.md <<'END'
Expected all tensors to be on the same device

RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
END
printf '%s\n' '{"project": "me/it", "id": 1, "summary": "CUDA out of memory with two GPUs", "description": "It runs on one GPU."}' \
    '{"project": "me/it", "id": 2, "summary": "Loss is nan after the first epoch", "description": "The learning rate does not matter."}' >set.jsonl
