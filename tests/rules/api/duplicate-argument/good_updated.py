from tensorflow.keras.layers import Conv2D


class Hyper:
    def __init__(self):
        self.params = {"padding": "same"}

    def get(self, **overrides):
        new = self.params.copy()
        new["use_bias"] = False
        new.update(**overrides)
        return new


layer = Conv2D(8, 3, **Hyper().get(use_bias=True))
