from tensorflow import keras
from tensorflow.keras import layers, regularizers


class Config:
    side = 28
    classes = 10
    filters = (16, 32)
    batch = 128
    epochs = 4
    l2 = 1e-4


def load_digits():
    (x_tr, y_tr), (x_te, y_te) = keras.datasets.mnist.load_data()
    x_tr = x_tr.astype("float32") / 255.0
    x_te = x_te.astype("float32") / 255.0
    return (x_tr, y_tr), (x_te, y_te)


def conv_stack(x, filters, l2):
    for f in filters:
        x = layers.Conv2D(f, 3, padding="same", kernel_regularizer=regularizers.l2(l2))(x)
        x = layers.BatchNormalization()(x)
        x = layers.ReLU()(x)
        x = layers.MaxPooling2D(2)(x)
    return x


def build(cfg):
    inputs = keras.Input(shape=(cfg.side, cfg.side))
    x = conv_stack(inputs, cfg.filters, cfg.l2)
    x = layers.Flatten()(x)
    outputs = layers.Dense(cfg.classes, activation="softmax")(x)
    return keras.Model(inputs, outputs)


def main(cfg=Config):
    (x_tr, y_tr), (x_te, y_te) = load_digits()
    model = build(cfg)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(x_tr, y_tr, batch_size=cfg.batch, epochs=cfg.epochs, validation_split=0.1)
    print("test:", model.evaluate(x_te, y_te, verbose=0))


if __name__ == "__main__":
    main()
