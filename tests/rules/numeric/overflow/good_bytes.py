import cv2
import numpy as np

picture = cv2.imread("street.png")
brighter = np.clip(picture.astype(np.float32) + 60, 0, 255).astype(np.uint8)
mask = (picture > 128).astype(np.uint8) * 255
cv2.imwrite("brighter.png", brighter)
cv2.imwrite("mask.png", mask)
