from typing import Annotated
import torch


def f(x: Annotated[torch.Tensor, "B T 64"]) -> Annotated[torch.Tensor, "B 64"]:
    return x.mean(dim=1)
