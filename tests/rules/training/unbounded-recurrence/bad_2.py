import tensorflow as tf

model = tf.keras.Sequential([
    tf.keras.layers.GRU(32, activation='relu', input_shape=(50, 3)),
    tf.keras.layers.Dense(1)])
model.compile('adam', 'mse')
