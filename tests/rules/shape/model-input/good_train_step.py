import numpy as np
import tensorflow as tf
from tensorflow.keras import Input, Model, layers

a, b, c = Input((8,)), Input((8,)), Input((8,))
embed = layers.Dense(4)
network = Model([a, b, c], [embed(a) - embed(b), embed(a) - embed(c)])


class Siamese(Model):
    def __init__(self, network):
        super().__init__()
        self.network = network

    def call(self, inputs):
        return self.network(inputs)

    def train_step(self, data):
        with tf.GradientTape() as tape:
            near, far = self.network(data)
            loss = tf.reduce_mean(tf.square(near)) - tf.reduce_mean(tf.square(far))
        gradients = tape.gradient(loss, self.network.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.network.trainable_weights))
        return {"loss": loss}


x = np.random.rand(100, 8).astype("float32")
data = tf.data.Dataset.from_tensor_slices((x, x, x)).batch(32)
model = Siamese(network)
model.compile(optimizer="adam")
model.fit(data, epochs=10)
