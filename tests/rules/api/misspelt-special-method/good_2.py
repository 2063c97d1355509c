import torch
import torch.nn as nn
class A:
    def _init_weights(self):
        pass
