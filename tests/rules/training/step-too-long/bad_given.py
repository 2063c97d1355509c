import tensorflow as tf

hours = [10., 20., 30., 40., 50.]
pay = [105., 205., 305., 405., 505.]
slope = tf.Variable(tf.random_normal([1]))
start = tf.Variable(tf.zeros([1]))
guess = hours * slope + start
cost = tf.reduce_mean(tf.square(guess - pay))
train = tf.train.GradientDescentOptimizer(0.01).minimize(cost)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(1000):
        session.run(train)
