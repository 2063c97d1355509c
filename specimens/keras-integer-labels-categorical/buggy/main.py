import numpy as np
from keras.layers import Dense
from keras.models import Sequential


def make_wines(count, seed):
    """Five measurements of wines from three regions; the label is the number of the region."""
    rng = np.random.RandomState(seed)
    regions = rng.randint(0, 3, count)
    centres = np.array([[1, 0, 0, 2, 1], [0, 1, 0, 1, 2], [0, 0, 1, 2, 2]], dtype="float32")
    return (centres[regions] + 0.3 * rng.randn(count, 5)).astype("float32"), regions


def build_model():
    model = Sequential()
    model.add(Dense(16, activation="relu", input_dim=5))
    model.add(Dense(3, activation="softmax"))
    model.compile(optimizer="adam", loss="categorical_crossentropy", metrics=["accuracy"])
    return model


def train(seed=0, epochs=40):
    np.random.seed(seed)
    model = build_model()
    wines, regions = make_wines(300, seed)
    model.fit(wines, regions, epochs=epochs, batch_size=20, verbose=0)
    return model


def classify(model, wines):
    return model.predict(wines).argmax(axis=1)


if __name__ == "__main__":
    samples, origin = make_wines(10, 1)
    print(classify(train(), samples), origin)
