from keras.layers import Conv2D, MaxPooling2D

patches = Conv2D(64, (16, 16), strides=(16, 16))
pool = MaxPooling2D((3, 3), strides=(2, 2))
