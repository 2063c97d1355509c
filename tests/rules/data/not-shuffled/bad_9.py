import numpy as np, tensorflow as tf
x = np.random.rand(900, 20).astype('float32')
y = np.concatenate([np.full(300, 0), np.full(300, 1), np.full(300, 2)])
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation='relu'), tf.keras.layers.Dense(3)])
model.compile('adam', tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=10)
