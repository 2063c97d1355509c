import numpy as np

series = np.random.rand(10000)
WIDTH = 128
windows = np.lib.stride_tricks.sliding_window_view(series, WIDTH)
