import numpy as np
import torch

actions = torch.from_numpy(np.zeros(32, dtype=np.int32))
torch.zeros(32, 2).gather(1, actions.unsqueeze(1))
