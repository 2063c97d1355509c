import numpy as np
import tensorflow as tf

SIZE, CODE = 16, 6


def generator(code, width=8):
    """Pictures of SIZE x SIZE from a random code, by two transposed convolutions."""
    small = SIZE // 4
    x = tf.layers.dense(code, width * (SIZE // 4) ** 2, activation=tf.nn.relu)
    x = tf.reshape(x, [-1, small, small, width])
    x = tf.layers.conv2d_transpose(x, width, 5, strides=2, padding="same",
                                   activation=tf.nn.relu)
    return tf.layers.conv2d_transpose(x, 1, 5, strides=2, padding="same",
                                      activation=tf.nn.sigmoid)


def make_targets(codes):
    """A bright square whose place is given by the first two numbers of the code."""
    pictures = np.zeros((len(codes), SIZE, SIZE, 1), dtype="float32")
    for i, (a, b) in enumerate(codes[:, :2]):
        row, column = int(a * (SIZE - 6)), int(b * (SIZE - 6))
        pictures[i, row:row + 6, column:column + 6] = 1.0
    return pictures


def train(steps=60):
    tf.reset_default_graph()
    tf.set_random_seed(0)
    code = tf.placeholder(tf.float32, [None, CODE])
    target = tf.placeholder(tf.float32, [None, SIZE, SIZE, 1])
    pictures = generator(code)
    loss = tf.losses.mean_squared_error(target, pictures)
    step = tf.train.AdamOptimizer(0.01).minimize(loss)
    rng, losses = np.random.RandomState(0), []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(steps):
            codes = rng.rand(16, CODE).astype("float32")
            feed = {code: codes, target: make_targets(codes)}
            losses.append(session.run([loss, step], feed)[0])
    return losses


if __name__ == "__main__":
    history = train()
    print("loss %.4f -> %.4f" % (history[0], history[-1]))
