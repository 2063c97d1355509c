import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

x = np.random.rand(1000, 20)
y = (x[:, 0] > 0.5).astype(int)
model = tf.keras.Sequential([layers.Dense(16, activation='relu', bias_initializer='zeros', input_shape=(20,)), layers.Dense(1, activation='sigmoid')])
model.compile('adam', 'binary_crossentropy')
