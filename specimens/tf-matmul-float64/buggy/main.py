import numpy as np
import tensorflow as tf


class Network(tf.Module):
    """Two dense layers, written out."""

    def __init__(self, inputs, hidden, outputs):
        super().__init__()
        self.w1 = tf.Variable(tf.random.normal([inputs, hidden], stddev=0.5))
        self.b1 = tf.Variable(tf.zeros([hidden]))
        self.w2 = tf.Variable(tf.random.normal([hidden, outputs], stddev=0.5))

    def __call__(self, x):
        return tf.matmul(tf.nn.tanh(tf.matmul(x, self.w1) + self.b1), self.w2)


def make_orbits(count, seed):
    """Distance of a planet from its position; inputs are x and y."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, (count, 2))
    return x, np.sqrt((x ** 2).sum(axis=1, keepdims=True))


def train(seed=0, steps=300):
    tf.random.set_seed(seed)
    network = Network(2, 16, 1)
    optimizer = tf.keras.optimizers.Adam(0.02)
    x, y = make_orbits(256, seed)
    losses = []
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((network(x) - y) ** 2)
        variables = network.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        losses.append(float(loss))
    return losses


if __name__ == "__main__":
    print("last loss", train()[-1])
