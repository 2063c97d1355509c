import tensorflow as tf
from tensorflow import keras

SIZE = (160, 160)


def datasets(root):
    common = dict(image_size=SIZE, batch_size=32, label_mode="binary")
    train = keras.utils.image_dataset_from_directory(root + "/train", shuffle=True, **common)
    valid = keras.utils.image_dataset_from_directory(root + "/validation", shuffle=False, **common)
    return train.prefetch(tf.data.AUTOTUNE), valid.prefetch(tf.data.AUTOTUNE)


def build():
    base = keras.applications.MobileNetV2(
        input_shape=SIZE + (3,), include_top=False, weights="imagenet"
    )
    inputs = keras.Input(shape=SIZE + (3,))
    x = keras.applications.mobilenet_v2.preprocess_input(inputs)
    x = base(x, training=False)
    x = keras.layers.GlobalAveragePooling2D()(x)
    x = keras.layers.Dropout(0.2)(x)
    outputs = keras.layers.Dense(1, activation="sigmoid")(x)
    return base, keras.Model(inputs, outputs)


def main():
    train, valid = datasets("cats_and_dogs")
    base, model = build()

    # 1. only the new head
    base.trainable = False
    model.compile(
        optimizer=keras.optimizers.Adam(1e-3),
        loss="binary_crossentropy",
        metrics=["accuracy"],
    )
    model.fit(train, validation_data=valid, epochs=5)

    # 2. fine-tune everything
    base.trainable = True
    model.compile(
        optimizer=keras.optimizers.Adam(1e-5),
        loss="binary_crossentropy",
        metrics=["accuracy"],
    )
    model.fit(train, validation_data=valid, epochs=10, initial_epoch=5)
    model.save("fine_tuned.keras")


if __name__ == "__main__":
    main()
