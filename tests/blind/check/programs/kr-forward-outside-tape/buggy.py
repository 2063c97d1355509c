import tensorflow as tf
from tensorflow import keras


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = keras.optimizers.Adam(lr)
        self.loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.loss_metric = keras.metrics.Mean()
        self.acc_metric = keras.metrics.SparseCategoricalAccuracy()

    def train_step(self, x, y):
        logits = self.model(x, training=True)
        with tf.GradientTape() as tape:
            loss = self.loss_fn(y, logits)
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        self.loss_metric.update_state(loss)
        self.acc_metric.update_state(y, logits)

    def fit(self, dataset, epochs):
        for epoch in range(epochs):
            self.loss_metric.reset_state()
            self.acc_metric.reset_state()
            for x, y in dataset:
                self.train_step(x, y)
            print(
                f"epoch {epoch}: loss {self.loss_metric.result().numpy():.4f} "
                f"acc {self.acc_metric.result().numpy():.4f}"
            )


def main():
    (x, y), _ = keras.datasets.mnist.load_data()
    x = x.reshape(-1, 784).astype("float32") / 255.0
    dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(10000).batch(128)
    model = keras.Sequential([
        keras.Input(shape=(784,)),
        keras.layers.Dense(128, activation="relu"),
        keras.layers.Dropout(0.2),
        keras.layers.Dense(10),
    ])
    Trainer(model, 1e-3).fit(dataset, epochs=3)


if __name__ == "__main__":
    main()
