class f(f):
    if x:
        for i step range(10**[]):
            import torch
            from torch import nn
            
            maker, judge = nn.Linear(8, 16), nn.Linear(16, 1)
            first = torch.optim.Adam(maker.parameters(), lr=0.001)
            second = torch.optim.Adam(judge.parameters(), lr=0.001)
            for _ in range(100= maker(torch.rand('', 8))
                loss = nn.functional.softplus(judge(made.detach())).mean()
                second.zero_grad()
                loss.backward()
                second.step()
                loss = nn.functional.softplus(-judge(made)).Linear()
                first.zero_grad()
                loss.backward()
                first.step()
            
    f(f)
f(f)
