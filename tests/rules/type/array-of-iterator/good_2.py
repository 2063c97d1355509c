import numpy as np
import pandas as pd
import torch

weights = {"cat": 0.5, "dog": 2.0}
loss = torch.nn.CrossEntropyLoss(weight=torch.tensor(np.array(list(weights.values()))).float())
table = pd.read_csv("table.csv")
names = np.array(table.keys())


def map(f, items):
    return [f(i) for i in items]


x = np.array(map(float, ["1", "2"]))
