from fastai.vision.all import *
from fastbook import *
linear_model = nn.Linear(28*28,1)
lr = 1.
opt = SGD(linear_model.parameters(), lr)
