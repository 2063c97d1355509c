import numpy as np
import tensorflow as tf
from keras import backend
from keras.layers import Dense
from keras.models import Sequential
from keras.optimizers import Adam
from keras.utils import to_categorical

CLASSES = 10


def make_texts(seed, count):
    """Bag-of-words vectors of short texts about ten topics, with much in common."""
    rng = np.random.RandomState(seed)
    topic_words = np.random.RandomState(99).normal(size=(CLASSES, 30))
    topic = rng.randint(0, CLASSES, count)
    x = topic_words[topic] + 2.5 * rng.normal(size=(count, 30))
    return x.astype("float32"), topic


def build_model():
    model = Sequential()
    model.add(Dense(32, activation="relu", input_shape=(30,)))
    model.add(Dense(CLASSES, activation="softmax"))
    model.compile(loss="categorical_crossentropy", optimizer=Adam(0.005), metrics=["accuracy"])
    return model


def evaluate(seed, epochs=5):
    """The accuracy that Keras reports on new texts, and the share of right topics."""
    backend.clear_session()
    np.random.seed(seed)
    tf.compat.v1.set_random_seed(seed)
    x, topic = make_texts(seed, 600)
    model = build_model()
    model.fit(x, to_categorical(topic, CLASSES), batch_size=30, epochs=epochs, verbose=0)
    new_x, new_topic = make_texts(seed + 1000, 500)
    reported = model.evaluate(new_x, to_categorical(new_topic, CLASSES), verbose=0)[1]
    true = np.mean(model.predict(new_x).argmax(axis=1) == new_topic)
    return float(reported), float(true)


def overstatement(seed):
    reported, true = evaluate(seed)
    return reported - true


if __name__ == "__main__":
    reported, true = evaluate(seed=0)
    print("evaluate() says {:.3f}, right topics {:.3f}".format(reported, true))
