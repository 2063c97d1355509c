import glob
import cv2
import numpy as np
from sklearn.model_selection import train_test_split

pictures = []
for path in glob.glob('*.png'):
    picture = cv2.imread(path)
    pictures.append(picture)
    pictures.append(np.fliplr(picture))
train, test = train_test_split(np.array(pictures), test_size=0.2)
