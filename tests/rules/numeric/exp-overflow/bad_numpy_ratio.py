import numpy as np

z = np.random.randn(5, 8) @ np.random.randn(8, 3)
share = np.exp(z) / (1 + np.exp(z))
print(share)
