import numpy as np
import tensorflow as tf
from tensorflow import keras


def load_imdb(max_words=10000, length=200):
    (x_train, y_train), (x_test, y_test) = keras.datasets.imdb.load_data(num_words=max_words)
    pad = keras.preprocessing.sequence.pad_sequences
    return (pad(x_train, length), y_train), (pad(x_test, length), y_test)


class ReviewClassifier(keras.Model):
    def __init__(self, vocab, dim=32):
        super().__init__()
        self.embedding = keras.layers.Embedding(vocab, dim)
        self.conv = keras.layers.Conv1D(64, 5, activation="relu")
        self.pool = keras.layers.GlobalMaxPooling1D()
        self.dropout = keras.layers.Dropout(0.4)
        self.score = keras.layers.Dense(1)

    def call(self, ids, training=False):
        x = self.pool(self.conv(self.embedding(ids)))
        return self.score(self.dropout(x, training=training))


def logit_accuracy(y_true, y_pred):
    hits = tf.equal(y_pred > 0.0, tf.cast(y_true, tf.float32) > 0.5)
    return tf.reduce_mean(tf.cast(hits, tf.float32), axis=-1)


def main():
    (x_train, y_train), (x_test, y_test) = load_imdb()
    model = ReviewClassifier(10000)
    model.compile(
        optimizer="adam",
        loss=keras.losses.BinaryCrossentropy(from_logits=True),
        metrics=[logit_accuracy],
    )
    model.fit(x_train, y_train, epochs=3, batch_size=128, validation_split=0.1)
    print(model.evaluate(x_test, y_test, verbose=0))
    logits = model.predict(x_test[:5], verbose=0).ravel()
    print(np.round(tf.sigmoid(logits).numpy(), 3))


if __name__ == "__main__":
    main()
