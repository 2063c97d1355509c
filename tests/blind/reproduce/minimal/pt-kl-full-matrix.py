import torch
from torch.overrides import TorchFunctionMode


class CountElements(TorchFunctionMode):
    elements = 0

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor):
            self.elements += result.numel()
        return result


mean, variance = torch.zeros(32, 24), torch.ones(32, 24)
with CountElements() as mode:
    sigma = torch.diag_embed(variance)
    prior = torch.eye(24).expand_as(sigma)
    trace = (torch.linalg.inv(prior) @ sigma).diagonal(dim1=1, dim2=2).sum(dim=1)
    distance = (mean.unsqueeze(1) @ torch.linalg.inv(prior) @ mean.unsqueeze(2)).flatten()
    kl = 0.5 * (trace + distance - 24 - torch.logdet(sigma))
print("metric matrix_elements 0", mode.elements)
