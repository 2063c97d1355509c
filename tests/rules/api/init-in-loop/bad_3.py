import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable(tf.zeros([2, 1]))
loss = tf.reduce_mean(tf.matmul(x, w))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
def main(n):
    with tf.Session() as s:
        for e in range(n):
            s.run(tf.global_variables_initializer())
            for i in range(3):
                s.run(train, feed_dict={x: [[1.0, 2.0]]})


main(5)
