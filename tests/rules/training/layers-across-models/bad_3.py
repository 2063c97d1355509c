from keras.layers import Conv2D, Dense, Flatten
from keras.models import Sequential
from sklearn.model_selection import KFold

stack = [Conv2D(16, 3, activation="relu", input_shape=(28, 28, 1)), Flatten(), Dense(10, activation="softmax")]
for train, test in KFold(5).split(x):
    model = Sequential(stack)
    model.compile("adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(x[train] / 255, y[train], epochs=3)
    print(model.evaluate(x[test] / 255, y[test]))
