import tensorflow as tf
from tensorflow.keras import layers

inputs = tf.keras.Input((28, 28, 1))
h = layers.Conv2D(8, 3, activation='relu')(inputs)
h = layers.Dense(32, activation='relu')(h)
outputs = layers.Dense(10)(h)
model = tf.keras.Model(inputs, outputs)
model.compile('adam', tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
