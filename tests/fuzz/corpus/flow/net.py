import os
try:
    import numpy as np
except ImportError:
    np = None

class Net(object):
    size = 3
    def __init__(self, n=size):
        self.n = n
        self.layers = []

    def add(self, layer):
        self.layers.append(layer)
        return self

    def run(self, x):
        for i, l in enumerate(self.layers):
            if l is None:
                continue
            elif i > self.n:
                break
            x = l(x)
        else:
            x = x + 1
        try:
            y = x / 2
            z = y + 1
        except (TypeError, ValueError) as e:
            print(e)
            return None
        finally:
            done = True
        while True:
            if (k := z) and k > 3:
                break
            z += 1
        return [a * z for a in y if a], done

net = Net()
net.add(os.path)
print(net.run(3))
