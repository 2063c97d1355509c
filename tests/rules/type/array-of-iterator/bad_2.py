import numpy as np
import torch

weights = {"cat": 0.5, "dog": 2.0}
loss = torch.nn.CrossEntropyLoss(weight=torch.tensor(np.array(weights.values())).float())
