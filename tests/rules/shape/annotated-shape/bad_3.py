from typing import Annotated
import torch


def f(x: Annotated[torch.Tensor, "B D"], y: Annotated[torch.Tensor, "B E"]):
    return x


f(torch.zeros(8, 4), torch.zeros(9, 5))
