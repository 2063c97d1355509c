import pkg

class Net:
    def __init__(self, n):
        helper()

def helper():
    return pkg.run
