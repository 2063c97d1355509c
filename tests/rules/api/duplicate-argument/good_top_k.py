from tensorflow import keras

model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(10, activation="softmax")])
model.compile(
    optimizer="adam",
    loss="sparse_categorical_crossentropy",
    metrics=[
        keras.metrics.SparseCategoricalAccuracy(name="accuracy"),
        keras.metrics.SparseTopKCategoricalAccuracy(5, name="top-5-accuracy"),
    ],
)
