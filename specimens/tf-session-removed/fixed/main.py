import numpy as np
import tensorflow as tf


def make_readings(count, seed):
    """Voltage of a battery over time: a line and noise."""
    rng = np.random.RandomState(seed)
    hours = rng.uniform(0, 10, (count, 1)).astype("float32")
    return hours, (12.6 - 0.3 * hours + 0.02 * rng.randn(count, 1)).astype("float32")


def fit(seed=0, steps=500, rate=0.01):
    hours, volts = make_readings(100, seed)
    slope = tf.Variable(0.0)
    start = tf.Variable(0.0)

    def loss():
        return tf.reduce_mean(tf.square(slope * hours + start - volts))

    optimizer = tf.keras.optimizers.SGD(rate)
    for _ in range(steps):
        optimizer.minimize(loss, var_list=[slope, start])
    return [slope.numpy(), start.numpy()]


if __name__ == "__main__":
    print("slope %.3f, start %.3f" % tuple(fit(steps=2000)))
