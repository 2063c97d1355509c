import tensorflow as tf

x = tf.zeros((8, 50))
positions = tf.expand_dims(tf.range(tf.shape(x)[1]), 0)
e = tf.keras.layers.Embedding(50, 16)(positions)
q = tf.keras.layers.Embedding(50, 16)(tf.range(start=0, limit=50, delta=1))
