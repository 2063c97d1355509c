import numpy as np
from tensorflow.keras import Sequential, layers
from tensorflow.keras.preprocessing.sequence import pad_sequences
from tensorflow.keras.preprocessing.text import Tokenizer

complaints = [
    "my card was charged twice",
    "the app crashes when i open it",
    "please refund my last payment",
    "login button does not react",
    "i was billed for a cancelled plan",
    "screen stays black after the update",
] * 30
topics = np.array([0, 1, 0, 1, 0, 1] * 30)

MAX_LEN = 10

tokenizer = Tokenizer(lower=True)
tokenizer.fit_on_texts(complaints)
sequences = tokenizer.texts_to_sequences(complaints)
x = pad_sequences(sequences, maxlen=MAX_LEN, padding="post")

vocab_size = len(tokenizer.word_index)
print("vocabulary:", vocab_size)

order = np.random.RandomState(0).permutation(len(x))
x, topics = x[order], topics[order]
x_train, x_test = x[:140], x[140:]
y_train, y_test = topics[:140], topics[140:]

model = Sequential([
    layers.Input(shape=(MAX_LEN,)),
    layers.Embedding(input_dim=vocab_size, output_dim=16, mask_zero=True),
    layers.Bidirectional(layers.GRU(16)),
    layers.Dense(1, activation="sigmoid"),
])
model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(x_train, y_train, epochs=10, batch_size=20, verbose=2)
print(model.evaluate(x_test, y_test, verbose=0))
