import pandas as pd
from tensorflow.keras.layers import Dense
from tensorflow.keras.models import Sequential

homes = pd.read_csv("homes.csv")
model = Sequential([Dense(32, activation="relu", input_shape=(9,)), Dense(1, activation="sigmoid")])
model.compile(optimizer="adam", loss="mse")
model.fit(homes.drop("price", axis=1).values, homes["price"].values, epochs=50)
