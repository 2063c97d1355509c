import tensorflow as tf

rows = tf.placeholder(tf.float32, [30, None])
truth = tf.placeholder(tf.float32, [2, None])
w = tf.get_variable("w", [2, 30])
b = tf.get_variable("b", [2, 1], initializer=tf.zeros_initializer())
scores = tf.transpose(tf.matmul(w, rows) + b)
loss = tf.nn.softmax_cross_entropy_with_logits(logits=scores, labels=tf.transpose(truth))
