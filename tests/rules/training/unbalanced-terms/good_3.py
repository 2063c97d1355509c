import tensorflow as tf
from tensorflow import keras

encoder = keras.Sequential([keras.layers.Dense(128, activation="relu", input_shape=(400,)), keras.layers.Dense(16)])
decoder = keras.Sequential([keras.layers.Dense(128, activation="relu", input_shape=(8,)), keras.layers.Dense(400)])
optimizer = keras.optimizers.Adam(1e-3)
BETA = 0.001


def step(x):
    with tf.GradientTape() as tape:
        mean, log_var = tf.split(encoder(x), 2, axis=1)
        log_var = tf.clip_by_value(log_var, -8.0, 8.0)
        z = mean + tf.exp(0.5 * log_var) * tf.random.normal(tf.shape(mean))
        kept = tf.reduce_mean(keras.losses.mean_squared_error(x, decoder(z)))
        spread = -0.5 * tf.reduce_sum(1 + log_var - tf.square(mean) - tf.exp(log_var), axis=1)
        loss = kept + BETA * tf.reduce_mean(spread)
    weights = encoder.trainable_variables + decoder.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))


step(tf.random.uniform((32, 400)))
