import sys

import keras
import numpy as np

import main

model = main.train()
path = main.store(model, "echo")
again = keras.models.load_model(path)
echoes, _ = main.make_echoes(20, 1)
if not np.allclose(model.predict(echoes, verbose=0), again.predict(echoes, verbose=0)):
    print("FAIL: the loaded model predicts other depths")
    sys.exit(1)
print("PASS: the model is saved and loaded")
