import numpy as np
import tensorflow as tf
x = np.zeros((3, 3))
x[0, 0] = 1.0
