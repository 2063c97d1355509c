import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def focal_loss(gamma=2.0, alpha=0.25):
    def loss(y_true, y_pred):
        y_true = tf.cast(y_true, tf.float32)
        pos = -alpha * tf.pow(1.0 - y_pred, gamma) * y_true * tf.math.log(y_pred)
        neg = -(1 - alpha) * tf.pow(y_pred, gamma) * (1.0 - y_true) * tf.math.log(1.0 - y_pred)
        return tf.reduce_mean(pos + neg, axis=-1)

    return loss


def synthetic_frauds(n):
    x = tf.random.normal((n, 24))
    score = x[:, 0] * 3 + x[:, 1] * 2
    y = tf.cast(score > 7.0, tf.float32)[:, None]
    return x, y


def build():
    inputs = keras.Input((24,))
    x = layers.Dense(128, activation="relu")(inputs)
    x = layers.Dense(64, activation="relu")(x)
    outputs = layers.Dense(1, activation="sigmoid")(x)
    return keras.Model(inputs, outputs)


def main():
    x, y = synthetic_frauds(50000)
    x_val, y_val = synthetic_frauds(10000)
    print("positive rate", float(tf.reduce_mean(y)))
    model = build()
    model.compile(
        optimizer=keras.optimizers.Adam(1e-3),
        loss=focal_loss(),
        metrics=[keras.metrics.AUC(curve="PR", name="pr_auc")],
    )
    model.fit(x, y, validation_data=(x_val, y_val), epochs=30, batch_size=256, verbose=2)


if __name__ == "__main__":
    main()
