from keras.layers import Dense
from keras.models import Sequential
from sklearn.model_selection import StratifiedKFold


def build():
    model = Sequential([Dense(32, activation='relu', input_dim=10), Dense(1, activation='sigmoid')])
    model.compile('adam', 'binary_crossentropy', metrics=['accuracy'])
    return model


def judge(model, x, y):
    scores = []
    folds = StratifiedKFold(n_splits=10, shuffle=True)
    for i, (train, test) in enumerate(folds.split(x, y)):
        model.fit(x[train], y[train], epochs=20, validation_data=(x[test], y[test]))
        scores.append(model.evaluate(x[test], y[test])[1])
    return scores


print(judge(build(), data, labels))
