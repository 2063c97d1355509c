1 import keras
2 model = keras.Sequential()
x = 3
