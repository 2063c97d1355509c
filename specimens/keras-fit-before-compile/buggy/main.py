import numpy as np
from keras.layers import Dense
from keras.models import Sequential, model_from_json


def describe_model():
    """The architecture as text, as it is kept in the project's folder."""
    model = Sequential([Dense(12, activation="tanh", input_shape=(2,)), Dense(1)])
    return model.to_json()


def make_points(count, seed):
    rng = np.random.RandomState(seed)
    x = rng.uniform(-1, 1, (count, 2)).astype("float32")
    return x, np.sin(2 * x[:, 0]) + x[:, 1] ** 2


def compiled(model):
    model.compile(optimizer="adam", loss="mse")
    return model


def train_ensemble(members=3, epochs=60):
    """Networks of the same architecture, trained on different samples."""
    text = describe_model()
    ensemble = []
    for seed in range(members):
        np.random.seed(seed)
        model = model_from_json(text)
        x, y = make_points(200, seed)
        model.fit(x, y, epochs=epochs, batch_size=20, verbose=0)
        ensemble.append(model)
    return ensemble


def predict(ensemble, x):
    return np.mean([model.predict(x)[:, 0] for model in ensemble], axis=0)


if __name__ == "__main__":
    points, values = make_points(5, 99)
    print(predict(train_ensemble(), points), values)
