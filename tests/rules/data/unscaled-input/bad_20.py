import pandas as pd
from keras.layers import Dense
from keras.models import Sequential

table = pd.read_csv("train.csv")
y = table["label"].values
x = table.drop("label", axis=1).values.astype("float32")
model = Sequential([Dense(128, activation="relu", input_shape=(784,)), Dense(10, activation="softmax")])
model.compile("adam", loss="sparse_categorical_crossentropy")
model.fit(x, y, epochs=5)
