import pandas as pd
from sklearn.preprocessing import StandardScaler


class Series:
    def __init__(self, flag):
        frame = pd.read_csv("series.csv")
        scaler = StandardScaler()
        train_part = frame[:8000]
        scaler.fit(train_part.values)
        data = scaler.transform(frame.values)
        self.data = data[:8000] if flag == "train" else data[8000:]


def load(flag):
    return Series(flag)


train_set = load("train")
test_set = load("test")
