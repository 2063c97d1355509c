import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

noise, label = keras.Input((16,)), keras.Input((1,))
joined = layers.Concatenate()([noise, label])
model = keras.Model([noise, label], layers.Dense(4)(joined))
images = model.predict([np.random.rand(100, 16), np.zeros((100, 1))])
for i in range(36):
    print(images[i, 0])
chosen = tf.where(tf.constant(images[:, 0]) < 0.5, 0, 1)
print(chosen[3])
norm = layers.Normalization()
norm.adapt(images)
print(norm.mean.numpy())
