from typing import Annotated
import torch


def f(x: Annotated[torch.Tensor, "B 64"]) -> Annotated[torch.Tensor, "B 32"]:
    return x[:, :32]
