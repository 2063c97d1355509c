import tensorflow as tf


def train(model, batches, epochs):
    for epoch in range(epochs):
        model.compile(optimizer="adam", loss="binary_crossentropy")
        for x, y in batches:
            model.train_on_batch(x, y)
