$ python train.py --lr 0.1
import os
$ ls
os.listdir()
