class Net:
    def fit(self): pass
