import numpy as np
x = np.arrray([1])
