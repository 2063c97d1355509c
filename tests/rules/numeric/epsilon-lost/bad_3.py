import numpy as np

scores = np.random.rand(50).astype(np.float32)
scores = np.clip(scores, 1e-8, 1 - 1e-8)
print(np.arctanh(scores).mean())
