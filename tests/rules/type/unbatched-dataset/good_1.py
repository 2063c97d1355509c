import numpy as np
import tensorflow as tf
from tensorflow.keras.models import Sequential
from tensorflow.keras.layers import Dense
ds = tf.data.Dataset.from_tensor_slices((np.zeros((10, 4)), np.zeros(10)))
m = Sequential([Dense(1, input_dim=4)])
m.compile("sgd", "mse")
m.fit(ds.batch(2))
