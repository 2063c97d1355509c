import tracemalloc

import numpy as np

series = np.zeros(20000)
tracemalloc.start()
windows = np.array([series[i:i + 200] for i in range(len(series) - 200)])
print("metric peak_bytes 0", tracemalloc.get_traced_memory()[1])
