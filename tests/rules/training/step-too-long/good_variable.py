import tensorflow as tf

hours = [10., 20., 30., 40., 50.]
pay = [105., 205., 305., 405., 505.]
slope = tf.Variable(tf.random_normal([1]))
start = tf.Variable(tf.zeros([1]))
x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
cost = tf.reduce_mean(tf.square(slope * x + start - y))
rate = tf.Variable(0.0005)
train = tf.train.GradientDescentOptimizer(rate).minimize(cost)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(1000):
        session.run(train, feed_dict={x: hours, y: pay})
        print(session.run(cost, feed_dict={x: hours, y: pay}))
