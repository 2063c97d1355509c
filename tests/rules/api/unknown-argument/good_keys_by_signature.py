import inspect


class Layer:
    def message(self, x):
        return x

    def pick(self, x, a, signature):
        out = {}
        for k in signature.keys():
            if k == "x":
                pass
            elif k == "a":
                out[k] = a
        return out

    def propagate(self, x, a):
        signature = inspect.signature(self.message).parameters
        kwargs = self.pick(x, a, signature)
        return self.message(x, **kwargs)


print(Layer().propagate(1, 2))
