import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, layers

BATCH = 32
EPOCHS = 10


def examples(n, seed):
    rng = np.random.default_rng(seed)
    tokens = rng.integers(1, 300, size=(n, 40)).astype("int32")
    labels = (np.sum(tokens < 60, axis=1) > 8).astype("float32")
    return tokens, labels


def pipeline(tokens, labels, training):
    ds = tf.data.Dataset.from_tensor_slices((tokens, labels))
    if training:
        ds = ds.shuffle(len(tokens)).repeat()
    return ds.batch(BATCH).prefetch(tf.data.AUTOTUNE)


def text_cnn(vocab):
    ids = layers.Input(shape=(40,), dtype="int32")
    x = layers.Embedding(vocab, 32)(ids)
    pooled = [layers.GlobalMaxPooling1D()(layers.Conv1D(24, k, activation="relu")(x)) for k in (3, 4, 5)]
    x = layers.Dropout(0.3)(layers.Concatenate()(pooled))
    return Model(ids, layers.Dense(1, activation="sigmoid")(x))


x_train, y_train = examples(4000, 0)
x_val, y_val = examples(800, 1)

model = text_cnn(300)
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
model.fit(
    pipeline(x_train, y_train, training=True),
    validation_data=pipeline(x_val, y_val, training=False),
    epochs=EPOCHS,
)
model.save("text_cnn.keras")
