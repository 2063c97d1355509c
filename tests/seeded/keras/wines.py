# An amount from a table: split, scale, fit.
import pandas as pd
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from tensorflow.keras.layers import Dense
from tensorflow.keras.models import Sequential
from tensorflow.keras.optimizers import Adam

table = pd.read_csv("wines.csv")
X = table.drop("price", axis=1).values
y = table["price"].values
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=1)
scaler = StandardScaler()
X_train = scaler.fit_transform(X_train)
X_test = scaler.transform(X_test)

model = Sequential([
    Dense(32, activation="relu", input_shape=(11,)),
    Dense(16, activation="relu"),
    Dense(1),
])
model.compile(optimizer=Adam(learning_rate=0.001), loss="mse", metrics=["mae"])
model.fit(X_train, y_train, epochs=100, batch_size=32)
print(model.evaluate(X_test, y_test))
