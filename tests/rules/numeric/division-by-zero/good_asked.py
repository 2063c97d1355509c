import torch

hits = torch.randn(8, 4) > 0
count = hits.float().sum(dim=1)
total = hits.float().sum()
share = torch.where(count > 0, hits[:, 0].float() / count, torch.zeros(8))
if total > 0:
    print(share.sum() / total)


def mean_of(values, mask):
    chosen = (mask > 0).float().sum()
    if chosen == 0:
        return values.sum() * 0
    return (values * mask).sum() / chosen


print(mean_of(torch.randn(8), torch.randn(8)))
