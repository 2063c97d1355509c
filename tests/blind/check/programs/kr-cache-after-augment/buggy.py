import argparse
import pathlib

import tensorflow as tf
from tensorflow import keras

AUTOTUNE = tf.data.AUTOTUNE
SIDE = 160


def decode(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (SIDE, SIDE)) / 255.0, label


def augment(image, label):
    image = tf.image.random_flip_left_right(image)
    image = tf.image.random_brightness(image, 0.15)
    image = tf.image.random_contrast(image, 0.8, 1.2)
    return tf.clip_by_value(image, 0.0, 1.0), label


def list_files(root):
    root = pathlib.Path(root)
    names = sorted(d.name for d in root.iterdir() if d.is_dir())
    pairs = [(str(p), names.index(d)) for d in names for p in sorted((root / d).glob("*.jpg"))]
    paths, labels = zip(*pairs)
    return list(paths), list(labels), names


def make_train(root, batch):
    paths, labels, names = list_files(root)
    ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths), seed=0)
    ds = ds.map(decode, num_parallel_calls=AUTOTUNE)
    ds = ds.map(augment, num_parallel_calls=AUTOTUNE)
    ds = ds.cache()
    return ds.shuffle(1000).batch(batch).prefetch(AUTOTUNE), names


def make_valid(root, batch):
    paths, labels, _ = list_files(root)
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    return ds.map(decode, num_parallel_calls=AUTOTUNE).cache().batch(batch).prefetch(AUTOTUNE)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="flowers")
    ap.add_argument("--epochs", type=int, default=20)
    a = ap.parse_args()
    train, names = make_train(f"{a.data}/train", 32)
    valid = make_valid(f"{a.data}/valid", 64)
    model = keras.Sequential([
        keras.Input(shape=(SIDE, SIDE, 3)),
        keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
        keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(len(names), activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=valid, epochs=a.epochs)


if __name__ == "__main__":
    main()
