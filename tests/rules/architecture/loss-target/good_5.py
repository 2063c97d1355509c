from sklearn import datasets
from keras.models import Sequential
from keras.layers import Dense
iris = datasets.load_iris()
model = Sequential()
model.add(Dense(8, input_dim=4, activation='relu'))
model.add(Dense(3, activation='softmax'))
model.compile(loss='sparse_categorical_crossentropy', optimizer='adam', metrics=['accuracy'])
model.fit(iris.data, iris.target, epochs=200, batch_size=5)
