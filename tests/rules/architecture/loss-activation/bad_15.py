import argparse
from keras.models import Sequential
from keras.layers import Dense, Dropout
parser = argparse.ArgumentParser()
parser.add_argument('--hidden', type=int, default=64)
parser.add_argument('--activation', default='relu')
parser.add_argument('--loss', default='mean_squared_error')
args = parser.parse_args()
def build(hidden, activation):
    model = Sequential()
    model.add(Dense(hidden, input_dim=20, activation=activation))
    model.add(Dropout(0.2))
    model.add(Dense(3, activation='softmax'))
    return model
model = build(args.hidden, args.activation)
model.compile(loss=args.loss, optimizer='adam', metrics=['accuracy'])
