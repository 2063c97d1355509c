import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

x = np.random.rand(1000, 20)
y = (x[:, 0] > 0.5).astype(int)
model = tf.keras.Sequential([layers.Dense(16, activation='relu', input_shape=(20,)), layers.Dense(1, activation='sigmoid')])
model.compile(tf.keras.optimizers.SGD(0.01, clipnorm=1.0), 'binary_crossentropy')
model.fit(x, y, epochs=20)
