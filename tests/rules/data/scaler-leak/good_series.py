import numpy as np
import pandas as pd
from sklearn.preprocessing import MinMaxScaler

prices = pd.read_csv('prices.csv')[['close']].values
size = int(len(prices) * 0.8)
scaler = MinMaxScaler()
train, test = scaler.fit_transform(prices[:size]), scaler.transform(prices[size:])
