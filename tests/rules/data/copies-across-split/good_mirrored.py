import glob
import cv2
import numpy as np
from sklearn.model_selection import train_test_split

train, test = train_test_split(glob.glob('*.png'), test_size=0.2)
pictures = []
for path in train:
    picture = cv2.imread(path)
    pictures.append(picture)
    pictures.append(np.fliplr(picture))
