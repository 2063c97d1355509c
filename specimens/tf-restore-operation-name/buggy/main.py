import os
import tempfile

import numpy as np
import tensorflow as tf


def make_readings(count, seed):
    """Two sensors of a coffee machine; the label says whether it needs descaling."""
    rng = np.random.RandomState(seed)
    reading = rng.rand(count, 2).astype("float32")
    return reading, (reading[:, 0] + reading[:, 1] > 1.0).astype("float32")


def train_and_save(path, steps=300):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(0)
        reading = tf.placeholder(tf.float32, [None, 2], name="reading")
        label = tf.placeholder(tf.float32, [None])
        logit = tf.squeeze(tf.layers.dense(reading, 1), axis=1)
        tf.sigmoid(logit, name="probability")
        loss = tf.losses.sigmoid_cross_entropy(label, logit)
        train = tf.train.AdamOptimizer(0.05).minimize(loss)
        session.run(tf.global_variables_initializer())
        x, y = make_readings(300, 0)
        for _ in range(steps):
            session.run(train, {reading: x, label: y})
        tf.train.Saver().save(session, path)


def predict(path, readings):
    with tf.Graph().as_default() as graph, tf.Session() as session:
        saver = tf.train.import_meta_graph(path + ".meta")
        saver.restore(session, path)
        reading = graph.get_tensor_by_name("reading")
        probability = graph.get_tensor_by_name("probability")
        return session.run(probability, {reading: readings})


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "coffee")
        train_and_save(path)
        return predict(path, make_readings(100, 1)[0])


if __name__ == "__main__":
    print(main()[:5])
