import cv2

picture = cv2.imread("street.png")
brighter = picture + 60
cv2.imwrite("brighter.png", brighter)
