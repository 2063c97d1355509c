import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
x = rng.normal(size=(2000, 6)).astype("float32")
y = (x[:, 0] * x[:, 1] + 0.5 * x[:, 2]).astype("float32")

train = tf.data.Dataset.from_tensor_slices((x[:1600], y[:1600])).shuffle(1600).batch(64)
test = tf.data.Dataset.from_tensor_slices((x[1600:], y[1600:])).batch(200)


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.h1 = tf.keras.layers.Dense(64, activation="relu")
        self.h2 = tf.keras.layers.Dense(64, activation="relu")
        self.out = tf.keras.layers.Dense(1)

    def call(self, inputs):
        return self.out(self.h2(self.h1(inputs)))


def squared_error(target, pred):
    return tf.reduce_mean(tf.square(pred - target))


net = Net()
optimizer = tf.keras.optimizers.Adam(1e-3)


@tf.function
def train_step(xb, yb):
    with tf.GradientTape() as tape:
        loss = squared_error(yb, net(xb))
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(grads, net.trainable_variables))
    return loss


for epoch in range(10):
    losses = [float(train_step(xb, yb)) for xb, yb in train]
    print(epoch, np.mean(losses))

errors = [float(squared_error(yb, net(xb))) for xb, yb in test]
print("test mse", np.mean(errors))
