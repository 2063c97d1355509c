import numpy as np
import tensorflow as tf

x = np.random.rand(100, 28, 28, 1).astype('float32')
y = np.random.randint(0, 10, 100)
ds = tf.data.Dataset.from_tensor_slices((x, y))
model = tf.keras.Sequential([tf.keras.layers.Conv2D(4, 3, input_shape=(28, 28, 1)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile('adam', tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds)
