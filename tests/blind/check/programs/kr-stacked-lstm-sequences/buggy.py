import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

WINDOW, FEATURES = 30, 3


def windows(data, size):
    xs, ys = [], []
    for start in range(len(data) - size):
        xs.append(data[start:start + size])
        ys.append(data[start + size, 0])
    return np.array(xs, dtype="float32"), np.array(ys, dtype="float32")


def synthetic(n=1500):
    t = np.arange(n)
    load = np.sin(2 * np.pi * t / 24) + 0.1 * np.random.randn(n)
    temp = np.cos(2 * np.pi * t / 24) + 0.1 * np.random.randn(n)
    weekend = ((t // 24) % 7 >= 5).astype(float)
    return np.stack([load, temp, weekend], axis=1)


def build():
    inputs = keras.Input(shape=(WINDOW, FEATURES))
    x = layers.LSTM(48)(inputs)
    x = layers.Dropout(0.1)(x)
    x = layers.LSTM(24)(x)
    outputs = layers.Dense(1)(x)
    model = keras.Model(inputs, outputs)
    model.compile(optimizer="adam", loss="mse", metrics=["mae"])
    return model


if __name__ == "__main__":
    series = synthetic()
    cut = 1200
    mean, std = series[:cut].mean(0), series[:cut].std(0)
    scaled = (series - mean) / std
    x_train, y_train = windows(scaled[:cut], WINDOW)
    x_test, y_test = windows(scaled[cut:], WINDOW)
    model = build()
    model.fit(x_train, y_train, epochs=5, batch_size=64, verbose=2)
    print(model.evaluate(x_test, y_test, verbose=0))
