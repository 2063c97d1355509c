import tensorflow as tf
from tensorflow import keras


class TwoTower(keras.Model):
    """Scores user/item pairs by the dot product of two towers."""

    def __init__(self, n_users, n_items, dim=32):
        super().__init__()
        self.dim = dim
        self.user_emb = keras.layers.Embedding(n_users, dim)
        self.item_emb = keras.layers.Embedding(n_items, dim)

    def call(self, inputs):
        user, item = inputs["user"], inputs["item"]
        u = keras.layers.Dense(self.dim, activation="relu")(self.user_emb(user))
        i = keras.layers.Dense(self.dim, activation="relu")(self.item_emb(item))
        return tf.reduce_sum(u * i, axis=-1, keepdims=True)


def interactions(n, n_users, n_items):
    user = tf.random.uniform((n,), 0, n_users, dtype=tf.int32)
    item = tf.random.uniform((n,), 0, n_items, dtype=tf.int32)
    clicked = tf.cast((user + item) % 3 == 0, tf.float32)
    return {"user": user, "item": item}, clicked[:, None]


def main():
    n_users, n_items = 500, 200
    train = tf.data.Dataset.from_tensor_slices(interactions(20000, n_users, n_items))
    valid = tf.data.Dataset.from_tensor_slices(interactions(2000, n_users, n_items))
    model = TwoTower(n_users, n_items)
    model.compile(
        optimizer=keras.optimizers.Adam(1e-3),
        loss=keras.losses.BinaryCrossentropy(from_logits=True),
        metrics=[keras.metrics.AUC(from_logits=True)],
    )
    model.fit(train.shuffle(20000).batch(256), validation_data=valid.batch(512), epochs=5)


if __name__ == "__main__":
    main()
