import argparse

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split
from tensorflow import keras
from tensorflow.keras import layers


def read(path):
    frame = pd.read_csv(path)
    y = frame.pop("uptrend").to_numpy().astype("float32")
    return frame.to_numpy().astype("float32"), y


def make_model(n_features, train_x, hidden):
    norm = layers.Normalization()
    norm.adapt(train_x)
    model = keras.Sequential([keras.Input(shape=(n_features,)), norm])
    for units in hidden:
        model.add(layers.Dense(units, activation="relu"))
        model.add(layers.Dropout(0.1))
    model.add(layers.Dense(1, activation="softmax"))
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--csv", default="indicators.csv")
    parser.add_argument("--hidden", type=int, nargs="*", default=[64, 32])
    parser.add_argument("--epochs", type=int, default=20)
    args = parser.parse_args()

    x, y = read(args.csv)
    x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.2, shuffle=False)
    model = make_model(x.shape[1], x_train, args.hidden)
    model.compile(
        optimizer=keras.optimizers.Adam(1e-3),
        loss="binary_crossentropy",
        metrics=["binary_accuracy"],
    )
    model.fit(x_train, y_train, epochs=args.epochs, batch_size=64, verbose=2)
    prob = model.predict(x_test, verbose=0).ravel()
    print("accuracy", np.mean((prob > 0.5) == (y_test > 0.5)))


if __name__ == "__main__":
    main()
