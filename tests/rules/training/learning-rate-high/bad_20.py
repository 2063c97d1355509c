import tensorflow as tf
from transformers import TFDistilBertModel

bert = TFDistilBertModel.from_pretrained("distilbert-base-uncased")
words = tf.keras.Input(shape=(64,), dtype="int32")
first = bert(words)[0][:, 0]
model = tf.keras.Model(words, tf.keras.layers.Dense(1, activation="sigmoid")(first))
model.compile("adam", loss="binary_crossentropy")
