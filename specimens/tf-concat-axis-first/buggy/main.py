import numpy as np
import tensorflow as tf

LETTERS = "abcdefghijklmnopqrstuvwxyz"
NAMES = {"anna": 1, "petra": 1, "maria": 1, "sofia": 1, "julia": 1, "laura": 1,
         "otto": 0, "peter": 0, "klaus": 0, "hans": 0, "rolf": 0, "erik": 0}


def encode(names):
    """Counts of letters, and the one-hot last letter."""
    counts = np.array([[n.count(c) for c in LETTERS] for n in names], dtype="float32")
    last = np.array([[n.endswith(c) for c in LETTERS] for n in names], dtype="float32")
    return counts, last


def build_graph():
    graph = tf.Graph()
    with graph.as_default():
        tf.set_random_seed(0)
        counts = tf.placeholder(tf.float32, [None, len(LETTERS)])
        last = tf.placeholder(tf.float32, [None, len(LETTERS)])
        female = tf.placeholder(tf.float32, [None])
        a = tf.layers.dense(counts, 4, activation=tf.nn.tanh)
        b = tf.layers.dense(last, 4, activation=tf.nn.tanh)
        joined = tf.concat(1, [a, b])
        logit = tf.squeeze(tf.layers.dense(joined, 1), axis=1)
        loss = tf.losses.sigmoid_cross_entropy(female, logit)
        train = tf.train.AdamOptimizer(0.05).minimize(loss)
        start = tf.global_variables_initializer()
    return graph, counts, last, female, logit, train, start


def classify(names, steps=100):
    graph, counts, last, female, logit, train, start = build_graph()
    a, b = encode(list(NAMES))
    feed = {counts: a, last: b, female: np.array(list(NAMES.values()), dtype="float32")}
    with tf.Session(graph=graph) as session:
        session.run(start)
        for _ in range(steps):
            session.run(train, feed)
        a, b = encode(names)
        return session.run(logit, {counts: a, last: b}) > 0


if __name__ == "__main__":
    print(classify(["anna", "otto", "clara"]))
