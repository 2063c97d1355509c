import torch
import torch.nn as nn
import torch.nn.functional as F
import numpy as np
img = np.random.rand(224, 224, 3).astype('float32')
x = torch.from_numpy(img).permute(2, 0, 1).unsqueeze(0)
y = nn.Conv2d(3, 16, 3)(x)
