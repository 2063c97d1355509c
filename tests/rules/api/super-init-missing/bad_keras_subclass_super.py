import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

class Net(keras.Model):
    def __init__(self):
        self.d = layers.Dense(3)
    def call(self, x):
        return self.d(x)
net = Net()
