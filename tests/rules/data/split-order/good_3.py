from keras.datasets import mnist


def train_test_split(x, y):
    """Of our own: the pairs of each part come together."""
    return x[:50000], y[:50000], x[50000:], y[50000:]


(x, y), _ = mnist.load_data()
x_train, y_train, x_test, y_test = train_test_split(x, y)
print(x_train.shape, y_test.shape)
