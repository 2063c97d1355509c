import pandas as pd
from keras.layers import Dense
from keras.models import Sequential
from sklearn.model_selection import train_test_split

table = pd.read_csv("flats.csv")
x = table.drop("price", axis=1).values
x_train, x_test, y_train, y_test = train_test_split(x, table["price"].values)
model = Sequential([Dense(32, activation="relu", input_dim=9), Dense(1, activation="sigmoid")])
model.compile("adam", loss="binary_crossentropy")
model.fit(x_train, y_train, epochs=20)
