import numpy as np
from tensorflow import keras
from tensorflow.keras.layers import Dense, Dropout
from tensorflow.keras.models import Sequential
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

wine = load_wine()
X_train, X_test, y_train, y_test = train_test_split(
    wine.data, wine.target, test_size=0.25, stratify=wine.target, random_state=4
)

scaler = StandardScaler()
X_train = scaler.fit_transform(X_train)
X_test = scaler.transform(X_test)

n_classes = len(np.unique(y_train))
print("train", X_train.shape, "classes", n_classes)

model = Sequential()
model.add(keras.Input(shape=(X_train.shape[1],)))
model.add(Dense(32, activation="relu"))
model.add(Dropout(0.2))
model.add(Dense(16, activation="relu"))
model.add(Dense(n_classes, activation="softmax"))
model.summary()

model.compile(
    optimizer="adam",
    loss="categorical_crossentropy",
    metrics=["accuracy"],
)

history = model.fit(
    X_train, y_train,
    validation_split=0.2,
    epochs=60,
    batch_size=16,
    verbose=0,
)
print("last val accuracy", history.history["val_accuracy"][-1])
loss, acc = model.evaluate(X_test, y_test, verbose=0)
print("test accuracy", acc)
