import numpy as np

series = np.random.rand(10000)
WIDTH = 128
windows = np.array([series[i:i + WIDTH] for i in range(len(series) - WIDTH)])
