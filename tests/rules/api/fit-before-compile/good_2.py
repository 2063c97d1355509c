import numpy as np
from keras.models import load_model
m = load_model("m.h5")
m.fit(np.zeros((4, 2)), np.zeros(4))
