import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data
mnist = input_data.read_data_sets("MNIST_data/", one_hot=True)
x = tf.placeholder(tf.float32, [None, 784])
y_ = tf.placeholder(tf.float32, [None, 10])
h = tf.layers.dense(x, 128, activation=tf.nn.relu)
y = tf.layers.dense(h, 10, activation=tf.nn.softmax)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y_, logits=y))
train_step = tf.train.AdamOptimizer(1e-3).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for i in range(1000):
    xs, ys = mnist.train.next_batch(100)
    sess.run(train_step, feed_dict={x: xs, y_: ys})
