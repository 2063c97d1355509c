import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data
mnist = input_data.read_data_sets("MNIST_data/", one_hot=True)
x = tf.placeholder(tf.float32, [None, 784])
y_ = tf.placeholder(tf.float32, [None, 10])
def layer(t, n_in, n_out):
    W = tf.Variable(tf.random_normal([n_in, n_out]))
    b = tf.Variable(tf.random_normal([n_out]))
    return tf.matmul(t, W) + b
h = tf.nn.relu(layer(x, 784, 500))
h = tf.nn.relu(layer(h, 500, 500))
h = tf.nn.relu(layer(h, 500, 500))
logits = layer(h, 500, 10)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y_, logits=logits))
train_step = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for i in range(1000):
    xs, ys = mnist.train.next_batch(100)
    sess.run(train_step, feed_dict={x: xs, y_: ys})
