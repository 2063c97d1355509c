import tensorflow as tf
class Attention(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.W = tf.keras.layers.Dense(units)
        self.V = tf.keras.layers.Dense(1)
    def call(self, values):
        score = self.V(tf.nn.tanh(self.W(values)))
        weights = tf.nn.softmax(score, axis=1)
        return tf.reduce_sum(weights * values, axis=1)
x = tf.random.normal((4, 7, 16))
print(Attention(8)(x))
