import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3])
w = tf.Variable(tf.zeros([3, 1]))
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for i in range(1000):
        mean = tf.reduce_mean(tf.matmul(x, w))
        print(s.run(mean, {x: rows}))
