import numpy as np
import pandas as pd


def scale(x, low, high):
    return (x - low) / (high - low)


x = pd.read_csv("sensors.csv").values
x = scale(x, x.min(axis=0), x.max(axis=0))
