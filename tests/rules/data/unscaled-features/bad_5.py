import numpy as np
import tensorflow as tf
np.random.seed(0)
num = 1000
years = np.random.randint(0, 30, num)
km = np.random.randint(0, 300000, num)
x = np.column_stack((years, km)).astype(np.float32)
y = 30000 - 500 * years - 0.05 * km
model = tf.keras.Sequential([tf.keras.layers.Dense(10, activation='relu', input_shape=(2,)), tf.keras.layers.Dense(1)])
model.compile(optimizer='sgd', loss='mse')
model.fit(x, y / 30000, epochs=10)
