import tensorflow as tf
from keras.layers import Lambda
l = Lambda(lambda x, a: x * a, arguments={"a": 2.0})
m = make(l)
m.save("a.h5")
