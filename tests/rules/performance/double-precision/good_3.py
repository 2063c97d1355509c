from keras import backend as K

K.set_floatx('float32')
