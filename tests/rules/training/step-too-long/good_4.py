import tensorflow as tf

x = [[1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 0.0, 3.0, 0.0, 5.0], [0.0, 2.0, 0.0, 4.0, 0.0]]
y = [1.0, 2.0, 3.0, 4.0, 5.0]
w = tf.Variable(tf.random_uniform([1, 3], -1.0, 1.0))
cost = tf.reduce_mean(tf.square(tf.matmul(w, x) - y))
train = tf.train.GradientDescentOptimizer(0.1).minimize(cost)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(2000):
        sess.run(train)
