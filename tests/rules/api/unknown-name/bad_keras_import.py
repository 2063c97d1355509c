from keras.layers import Dens
m = Dens(3)
