import numpy as np
import torch


class Logger:
    def __init__(self, runs):
        self.results = [[] for _ in range(runs)]
        self.scores = []

    def add(self, run, result, score):
        self.results[run].append(result)
        self.scores.append(score)

    def show(self):
        result = 100 * torch.tensor(self.results)
        for r in result:
            print(r[:, 0].max(), torch.tensor(self.scores)[0])


def overtones(f0, count=0):
    for i in np.arange(count):
        f0[:, i + 1] = f0[:, 0] * (i + 2)


Logger(10)
