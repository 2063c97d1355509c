import torch


def decompose(weight, rank):
    U, S, Vh = torch.linalg.svd(weight, full_matrices=False)
    L = U @ torch.sqrt(torch.diag(S)[:, 0:rank])
    R = torch.sqrt(torch.diag(S)[0:rank, :]) @ Vh
    return {"L": L, "R": R, "U": U, "S": S, "Vh": Vh}


parts = decompose(torch.randn(8, 8), 2)
print(parts["L"] @ parts["R"])
