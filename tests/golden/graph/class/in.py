class A(Base):
    k = 1
    j = k + 1
    def get(self):
        return self.n + j
    def put(self, n):
        self.n = n
        self.n.x = 2
j = 5
