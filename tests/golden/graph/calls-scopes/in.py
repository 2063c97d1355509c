import os.path as p

def outer(n):
    def inner(m):
        return outer(m - 1) if m else helper()
    helper = inner
    return inner(n)

def helper():
    return p.join("a", "b")

def shadow(helper):
    return helper()

def twice(f=helper()):
    return f(f(1))

class Local:
    def helper(self):
        return helper()

twice(lambda: helper())
del helper
helper()
