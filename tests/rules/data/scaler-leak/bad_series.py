import numpy as np
import pandas as pd
from sklearn.preprocessing import MinMaxScaler

prices = pd.read_csv('prices.csv')[['close']].values
scaled = MinMaxScaler().fit_transform(prices)
size = int(len(scaled) * 0.8)
train, test = scaled[:size], scaled[size:]
