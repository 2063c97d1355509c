"""Module doc."""
import torch.nn as nn  # import it
class MyNet(nn.Module):
    '''Class doc'''
    def forward(self, inputX):
        # pass it on
        self.hidden_size = 3
        label = "a string" "and more" f"part {inputX} end"
        return nn.functional.relu(inputX)
