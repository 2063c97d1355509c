import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def build(input_shape, n_classes):
    inputs = keras.Input(shape=input_shape)
    x = layers.Conv2D(16, 3, activation="relu")(inputs)
    x = layers.MaxPooling2D()(x)
    x = layers.Conv2D(32, 3, activation="relu")(x)
    x = layers.GlobalAveragePooling2D()(x)
    x = layers.Dropout(0.2)(x)
    outputs = layers.Dense(n_classes, activation="softmax")(x)
    return keras.Model(inputs, outputs)


def load():
    (x_train, y_train), (x_test, y_test) = keras.datasets.fashion_mnist.load_data()
    x_train = x_train[..., np.newaxis].astype("float32") / 255.0
    x_test = x_test[..., np.newaxis].astype("float32") / 255.0
    return (x_train, y_train), (x_test, y_test)


def main():
    (x_train, y_train), (x_test, y_test) = load()
    model = build(x_train.shape[1:], 10)
    model.compile(
        optimizer=keras.optimizers.Adam(1e-3),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(x_train, y_train, batch_size=128, epochs=5, validation_split=0.1)
    print(dict(zip(model.metrics_names, model.evaluate(x_test, y_test, verbose=0))))


if __name__ == "__main__":
    tf.random.set_seed(1)
    main()
