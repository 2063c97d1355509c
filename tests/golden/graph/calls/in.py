def size(w):
    t = w * 2
    u = t + 1
    return u

class B:
    def __init__(self, q):
        self.q = q

def main():
    s = size(3)
    b = B(s)
    return b
