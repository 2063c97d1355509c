import pandas as pd
from keras.layers import Dense
from keras.models import Sequential
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

table = pd.read_csv("wine.csv")
x = table.drop(columns="quality").values
y = table["quality"].values
x_scaled = StandardScaler().fit_transform(x)
x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.2)
model = Sequential([Dense(32, activation="relu", input_shape=(11,)), Dense(1)])
model.compile("adam", "mse")
model.fit(x_train, y_train, epochs=50)
