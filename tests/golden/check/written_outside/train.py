from build import make

model = make()
model.drop_rate = 0.2
model.classes = 10
