import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

IMG = 224
CLASSES = 5


def prepare(ds, training):
    ds = ds.map(lambda x, y: (tf.cast(x, tf.float32), y), num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        flip = layers.RandomFlip("horizontal")
        ds = ds.map(lambda x, y: (flip(x, training=True), y), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def make_model():
    backbone = keras.applications.EfficientNetB0(
        include_top=False, weights="imagenet", input_shape=(IMG, IMG, 3), pooling="avg"
    )
    backbone.trainable = False
    inputs = keras.Input((IMG, IMG, 3))
    x = backbone(inputs, training=False)
    x = layers.Dropout(0.3)(x)
    outputs = layers.Dense(CLASSES, activation="softmax")(x)
    return keras.Model(inputs, outputs, name="flower_net")


def main():
    kw = dict(image_size=(IMG, IMG), batch_size=32)
    train = keras.utils.image_dataset_from_directory("flowers/train", seed=1, **kw)
    valid = keras.utils.image_dataset_from_directory("flowers/valid", shuffle=False, **kw)
    model = make_model()
    model.compile(
        optimizer=keras.optimizers.Adam(1e-3),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    model.fit(prepare(train, True), validation_data=prepare(valid, False), epochs=8)


if __name__ == "__main__":
    main()
