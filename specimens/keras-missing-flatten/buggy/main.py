import numpy as np
from keras.layers import Conv2D, Dense, Flatten, MaxPooling2D
from keras.models import Sequential
from keras.utils import to_categorical

SHAPES = ["bar", "column", "cross"]


def build_model():
    model = Sequential()
    model.add(Conv2D(8, (3, 3), activation="relu", input_shape=(12, 12, 1)))
    model.add(MaxPooling2D((2, 2)))
    model.add(Dense(16, activation="relu"))
    model.add(Dense(len(SHAPES), activation="softmax"))
    model.compile(optimizer="adam", loss="categorical_crossentropy", metrics=["accuracy"])
    return model


def draw(count, seed):
    """12x12 pictures of a bar, a column or a cross on noise."""
    rng = np.random.RandomState(seed)
    labels = rng.randint(0, 3, count)
    pictures = 0.2 * rng.rand(count, 12, 12, 1)
    for i, label in enumerate(labels):
        row, column = rng.randint(2, 10, 2)
        if label in (0, 2):
            pictures[i, row, :, 0] += 1.0
        if label in (1, 2):
            pictures[i, :, column, 0] += 1.0
    return pictures.astype("float32"), to_categorical(labels, 3)


def train(seed=0, epochs=30):
    np.random.seed(seed)
    model = build_model()
    pictures, labels = draw(96, seed)
    model.fit(pictures, labels, epochs=epochs, batch_size=16, verbose=0)
    return model


if __name__ == "__main__":
    network = train()
    print(network.evaluate(*draw(60, 1), verbose=0))
