import mxnet as mx
x = mx.nd.zeros((2, 3))
print(x)
