from sklearn.datasets import load_iris
from tensorflow import keras

iris = load_iris()
model = keras.Sequential([keras.layers.Dense(8, activation='relu', input_shape=(4,)), keras.layers.Dense(2, activation='softmax')])
model.compile('adam', 'sparse_categorical_crossentropy', metrics=['accuracy'])
model.fit(iris.data, iris.target, epochs=200)
