import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
x = tf.random.normal((8, 3))
pred = model(x)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(pred ** 2)
grads = tape.gradient(loss, model.trainable_variables)
