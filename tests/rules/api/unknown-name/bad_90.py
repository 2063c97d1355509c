from keras import utils

labels = utils.to_categorcal([0, 1, 2], 3)
