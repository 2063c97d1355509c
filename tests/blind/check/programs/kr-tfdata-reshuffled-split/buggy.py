import tensorflow as tf
from tensorflow import keras

BATCH = 64


def load_examples():
    (x, y), (x_test, y_test) = keras.datasets.mnist.load_data()
    x = x[..., None].astype("float32") / 255.0
    x_test = x_test[..., None].astype("float32") / 255.0
    return (x, y), (x_test, y_test)


def split(x, y, val_fraction=0.2):
    n = len(x)
    n_val = int(n * val_fraction)
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    ds = ds.shuffle(n, seed=42)
    val = ds.take(n_val).batch(BATCH).prefetch(tf.data.AUTOTUNE)
    train = ds.skip(n_val).shuffle(2048).batch(BATCH).prefetch(tf.data.AUTOTUNE)
    return train, val


def build():
    return keras.Sequential([
        keras.Input(shape=(28, 28, 1)),
        keras.layers.Conv2D(16, 3, activation="relu"),
        keras.layers.MaxPooling2D(),
        keras.layers.Flatten(),
        keras.layers.Dense(64, activation="relu"),
        keras.layers.Dense(10, activation="softmax"),
    ])


(x, y), (x_test, y_test) = load_examples()
train_ds, val_ds = split(x, y)
model = build()
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(
    train_ds,
    validation_data=val_ds,
    epochs=10,
    callbacks=[keras.callbacks.EarlyStopping("val_loss", patience=2, restore_best_weights=True)],
)
print(model.evaluate(x_test, y_test, verbose=0))
