import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

x = np.random.rand(1000, 20)
y = (x[:, 0] > 0.5).astype(int)
model = tf.keras.Sequential([layers.InputLayer(input_shape=(20,))])
for _ in range(10):
    model.add(layers.Dense(4, activation='relu'))
model.add(layers.Dense(1, activation='sigmoid'))
model.compile('adam', 'binary_crossentropy')
