import torch
from torch import nn
keep_prob = 0.9
import tensorflow as tf
d = tf.nn.dropout(tf.zeros([2, 2]), keep_prob)
