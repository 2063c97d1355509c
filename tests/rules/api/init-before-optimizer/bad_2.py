import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 3])
w = tf.Variable(tf.zeros([3, 1]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
sess = tf.Session()
d = np.ones((2, 3))
init = tf.global_variables_initializer()
sess.run(init)
opt = tf.train.MomentumOptimizer(0.1, 0.9)
step = opt.minimize(loss)
for i in range(3):
    sess.run(step, {x: d})
