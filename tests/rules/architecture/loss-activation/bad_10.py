import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data
mnist = input_data.read_data_sets("MNIST_data/", one_hot=True)
x = tf.placeholder(tf.float32, [None, 784])
y = tf.placeholder(tf.float32, [None, 10])
h = tf.layers.dense(x, 64, tf.nn.relu)
out = tf.nn.softmax(tf.layers.dense(h, 10))
loss = tf.losses.mean_squared_error(y, out)
train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
