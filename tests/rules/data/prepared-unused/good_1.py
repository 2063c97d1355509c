import pandas as pd
from keras.layers import Dense
from keras.models import Sequential
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

table = pd.read_csv("wine.csv")
x = table.drop(columns="quality").values
y = table["quality"].values
x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.2)
scaler = StandardScaler()
x_scaled = scaler.fit_transform(x_train)
model = Sequential([Dense(32, activation="relu", input_shape=(11,)), Dense(1)])
model.compile("adam", "mse")
model.fit(x_scaled, y_train, epochs=50)
print(model.evaluate(scaler.transform(x_test), y_test))
