import cv2
import numpy as np
from tensorflow.keras.applications.mobilenet_v2 import MobileNetV2, decode_predictions

net = MobileNetV2(weights='imagenet')
frame = cv2.resize(cv2.imread('cup.jpg'), (224, 224)).astype('float32') / 127.5 - 1
print(decode_predictions(net.predict(np.expand_dims(frame, 0))))
