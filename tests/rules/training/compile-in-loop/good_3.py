import tensorflow as tf


def thaw(model, base, x, y):
    for depth in (1, 2, 3):
        for layer in base.layers[-depth:]:
            layer.trainable = True
        model.compile(optimizer=tf.keras.optimizers.Adam(1e-5), loss="binary_crossentropy")
        model.fit(x, y, epochs=5)
