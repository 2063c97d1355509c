import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

(x_train, y_train), (x_test, y_test) = keras.datasets.reuters.load_data(num_words=8000, test_split=0.2)

MAX_LEN = 400
N_TOPICS = int(max(y_train.max(), y_test.max())) + 1


def pad(seqs):
    return keras.utils.pad_sequences(seqs, maxlen=MAX_LEN, padding="post", truncating="post")


lengths = np.array([len(s) for s in x_train])
print("median length", int(np.median(lengths)), "95%", int(np.percentile(lengths, 95)))

x_train, x_test = pad(x_train), pad(x_test)


def build(vocab=8000, dim=64, units=64):
    ids = keras.Input(shape=(MAX_LEN,), dtype="int32")
    x = layers.Embedding(vocab, dim, mask_zero=True)(ids)
    x = layers.LSTM(units)(x)
    x = layers.Dropout(0.3)(x)
    return keras.Model(ids, layers.Dense(N_TOPICS, activation="softmax")(x))


model = build()
model.compile(
    optimizer=keras.optimizers.Adam(2e-3),
    loss="sparse_categorical_crossentropy",
    metrics=["accuracy"],
)
model.fit(
    x_train, y_train,
    validation_split=0.1,
    epochs=10,
    batch_size=64,
    callbacks=[keras.callbacks.EarlyStopping(patience=2, restore_best_weights=True)],
)
print(model.evaluate(x_test, y_test, verbose=0))
