import tensorflow as tf
from keras.layers import Lambda
l = Lambda(lambda x: x * 2)
m = make(l)
m.save("a.h5")
