import numpy as np
import tensorflow as tf


def make_model(d):
    return tf.keras.Sequential([
        tf.keras.Input(shape=(d,)),
        tf.keras.layers.Dense(32, activation="tanh"),
        tf.keras.layers.Dense(1),
    ])


def quantile_loss(target, pred, q=0.9):
    diff = target - pred[:, 0]
    return tf.reduce_mean(tf.maximum(q * diff, (q - 1) * diff))


def run_epoch(model, optimizer, dataset):
    losses = []
    for x, y in dataset:
        with tf.GradientTape() as tape:
            loss = quantile_loss(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        losses.append(float(loss))
    return np.mean(losses)


def coverage(model, x, y):
    pred = model(x, training=False).numpy()[:, 0]
    return float(np.mean(y <= pred))


def main():
    rng = np.random.default_rng(9)
    x = rng.uniform(-2, 2, size=(3000, 2)).astype("float32")
    y = (np.sin(x[:, 0]) + 0.3 * rng.normal(size=3000)).astype("float32")
    dataset = tf.data.Dataset.from_tensor_slices((x[:2500], y[:2500])).shuffle(2500).batch(50)
    model = make_model(2)
    optimizer = tf.keras.optimizers.Adam(5e-3)
    for epoch in range(10):
        print(epoch, run_epoch(model, optimizer, dataset))
    print("coverage of the 90% quantile:", coverage(model, x[2500:], y[2500:]))


if __name__ == "__main__":
    main()
