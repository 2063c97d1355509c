import numpy as np
import tensorflow as tf
from tensorflow import keras


def make_net(units):
    return keras.Sequential(
        [keras.Input((20,))]
        + [keras.layers.Dense(u, activation="relu") for u in units]
        + [keras.layers.Dense(5)]
    )


def train(model, optimizer, dataset, loss_fn, epochs):
    for epoch in range(epochs):
        total = 0.0
        for x, y in dataset:
            with tf.GradientTape() as tape:
                loss = loss_fn(model, x, y)
            grads = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(grads, model.trainable_variables))
            total += float(loss)
        print(model.name, epoch, total)


ce = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
kl = keras.losses.KLDivergence()


def hard_loss(model, x, y):
    return ce(y, model(x, training=True))


def distill_loss_for(teacher, temperature=2.0, alpha=0.5):
    def loss(model, x, y):
        logits = model(x, training=True)
        soft_t = tf.nn.softmax(teacher(x, training=False) / temperature)
        soft_s = tf.nn.softmax(logits / temperature)
        return alpha * ce(y, logits) + (1 - alpha) * temperature ** 2 * kl(soft_t, soft_s)

    return loss


rng = np.random.default_rng(0)
x = rng.normal(size=(4000, 20)).astype("float32")
y = np.argmax(x[:, :5] * x[:, 5:10], axis=1)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(4000).batch(64)

teacher, student = make_net([256, 256]), make_net([32])
optimizer = keras.optimizers.Adam(1e-3)
train(teacher, optimizer, dataset, hard_loss, epochs=5)
train(student, optimizer, dataset, distill_loss_for(teacher), epochs=5)
