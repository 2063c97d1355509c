import pandas as pd
from keras.layers import Dense
from keras.models import Sequential
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

rows = pd.read_csv("houses.csv").values
X_train, X_test, y_train, y_test = train_test_split(rows[:, :12], rows[:, 12])
scaler = StandardScaler()
X_train = scaler.fit_transform(X_train)
model = Sequential([Dense(24, activation="relu", input_dim=12), Dense(1)])
model.compile(loss="mse", optimizer="adam")
model.fit(X_train, y_train, epochs=50, validation_data=(X_test, y_test))
print(model.evaluate(X_test, y_test))
