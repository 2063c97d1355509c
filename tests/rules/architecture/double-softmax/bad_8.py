import tensorflow as tf
class Model(object):
    def __init__(self, n_features, n_classes):
        self.x = tf.placeholder(tf.float32, [None, n_features], name='x')
        self.y = tf.placeholder(tf.float32, [None, n_classes], name='y')
        self.build(n_classes)
    def layer(self, inputs, size, activation=None):
        n = int(inputs.get_shape()[1])
        w = tf.Variable(tf.truncated_normal([n, size], stddev=0.1))
        b = tf.Variable(tf.constant(0.1, shape=[size]))
        z = tf.matmul(inputs, w) + b
        return activation(z) if activation else z
    def build(self, n_classes):
        h = self.layer(self.x, 64, tf.nn.relu)
        self.pred = self.layer(h, n_classes, tf.nn.softmax)
        self.loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=self.pred, labels=self.y))
        self.train = tf.train.AdamOptimizer(1e-3).minimize(self.loss)
m = Model(20, 5)
