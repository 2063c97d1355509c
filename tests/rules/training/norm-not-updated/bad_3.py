import tensorflow as tf

graph = tf.Graph()
with graph.as_default():
    x = tf.placeholder(tf.float32, [None, 10])
    mode = tf.placeholder(tf.bool)
    h = tf.layers.batch_normalization(tf.layers.dense(x, 5), training=mode)
    loss = tf.reduce_mean(tf.square(tf.layers.dense(h, 1)))
    step = tf.train.AdamOptimizer().minimize(loss)
    init = tf.global_variables_initializer()
updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
with tf.Session(graph=graph) as sess:
    sess.run(init)
    sess.run([step, updates], {x: rows, mode: True})
