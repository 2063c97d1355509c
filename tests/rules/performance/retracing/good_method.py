import tensorflow as tf


class Trainer:
    def __init__(self):
        self.weight = tf.Variable(1.0)

    @tf.function
    def step(self, x, share):
        self.weight.assign_sub(share * x)

    def run(self, data, epochs):
        for epoch in range(epochs):
            share = epoch / epochs
            for x in data:
                self.step(x, tf.constant(share))
