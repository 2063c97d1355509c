import numpy as np
from tensorflow import keras
from tensorflow.keras import layers
import tensorflow as tf
a = tf.zeros([2]).numpy()
