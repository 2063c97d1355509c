import numpy as np
from sklearn.preprocessing import StandardScaler
from sklearn.model_selection import train_test_split
from keras.models import Sequential
from keras.layers import Dense
from sklearn.datasets import load_breast_cancer
d = load_breast_cancer()
X = StandardScaler().fit_transform(d.data)
X_train, X_test, y_train, y_test = train_test_split(X, d.target, test_size=0.2)
model = Sequential([Dense(16, activation='relu', input_dim=30), Dense(1, activation='sigmoid')])
model.compile('adam', 'binary_crossentropy', metrics=['accuracy'])
model.fit(X_train, y_train, epochs=30)
model.evaluate(X_test, y_test)
