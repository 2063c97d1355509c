import numpy as np
import tensorflow as tf
x = np.arange(0, 10, 0.01).reshape(-1, 1)
y = np.sin(x)
m = tf.keras.models.Sequential()
m.add(tf.keras.layers.Dense(32, activation='relu', input_shape=(1,)))
m.add(tf.keras.layers.Dense(32, activation='relu'))
m.add(tf.keras.layers.Dense(1))
m.compile(loss='mse', optimizer='adam')
m.fit(x, y, epochs=50)
