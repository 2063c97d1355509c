import numpy as np

PAD = 0
TEXTS = [
    ("the pump leaks", "water"), ("water on the floor again", "water"),
    ("no light in the hall", "power"), ("socket dead", "power"),
    ("the tap drips since monday", "water"), ("lamp flickers", "power"),
    ("pipe burst", "water"), ("fuse blown in the kitchen", "power"),
]


def build_vocabulary(texts):
    words = sorted({w for text in texts for w in text.split()})
    return {w: i + 1 for i, w in enumerate(words)}


def pad(rows, length):
    return [row[:length] + [PAD] * (length - len(row)) for row in rows]


def encode(texts, vocabulary, length=5):
    """Word numbers, one row per text; 0 stands for padding and unknown words."""
    rows = [[vocabulary.get(w, PAD) for w in text.split()] for text in texts]
    return np.array(pad(rows, length), dtype=np.int64)


def train(epochs=200, rate=0.5):
    texts, kinds = zip(*TEXTS)
    vocabulary = build_vocabulary(texts)
    ids = encode(texts, vocabulary)
    labels = np.array([kind == "power" for kind in kinds], dtype=float)
    weights = np.zeros(len(vocabulary) + 1)
    for _ in range(epochs):
        score = np.where(ids == PAD, 0.0, weights[ids]).sum(axis=1)
        error = 1.0 / (1.0 + np.exp(-score)) - labels
        np.subtract.at(weights, ids, rate * error[:, None] / len(ids))
        weights[PAD] = 0.0
    return weights, vocabulary


def classify(model, texts):
    weights, vocabulary = model
    return ["power" if weights[row].sum() > 0 else "water" for row in encode(texts, vocabulary)]


if __name__ == "__main__":
    print(classify(train(), ["the lamp is dead", "floor under water"]))
