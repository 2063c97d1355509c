from tensorflow.keras import Input, Model
from tensorflow.keras.layers import Dense
def mlp(depth, width, act):
    inp = Input((64,))
    h = inp
    for _ in range(depth):
        h = Dense(width, activation=act)(h)
    return Model(inp, Dense(10, activation='softmax')(h))
model = mlp(10, 100, 'sigmoid')
model.compile('sgd', 'sparse_categorical_crossentropy')
