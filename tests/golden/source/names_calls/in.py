class Base:
    def run(self): pass
class Child(Base):
    def go(self):
        self.run(); super().run(); self.go(); Base.run(self); unknown()
    @classmethod
    def make(cls):
        return cls.make() or Child()
def helper():
    def local(): pass
    local(); helper()
