import torch
import torch.nn as nn
import torch.nn.functional as F

if torch.cuda.is_avaliable():
    print('gpu')
