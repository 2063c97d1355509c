import numpy as np
x = np.random.rand(10, 3)
half = len(x) // 2
first = x[:half]
