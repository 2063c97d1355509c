import pandas as pd
from sklearn.model_selection import train_test_split
from keras.models import Sequential
from keras.layers import Dense

table = pd.read_csv("wines.csv")
x, y = table.values[:, :11], table.values[:, 11]
x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.5)

model = Sequential()
model.add(Dense(16, input_dim=11, activation="relu"))
model.add(Dense(1))
model.compile(optimizer="adam", loss="mse")
model.fit(x_train, y_test, epochs=20, batch_size=32)
