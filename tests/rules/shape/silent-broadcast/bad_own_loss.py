import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)])
x = tf.random.normal((16, 4))
y = tf.random.normal((16,))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(y - model(x)))
