import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None, 2])
logits = tf.layers.dense(tf.layers.dense(x, 64, tf.nn.relu), 2)
loss = tf.losses.softmax_cross_entropy(y, logits)
train = tf.train.MomentumOptimizer(0.01, momentum=0.5).minimize(loss)
