import csv
import io

import torch
import torch.nn as nn

torch.manual_seed(0)

# toy churn table
n = 400
tenure = torch.rand(n) * 60
calls = torch.randint(0, 10, (n,)).float()
bill = 20 + 80 * torch.rand(n)
churn = ((calls > 5) & (tenure < 30)).float()
X = torch.stack([tenure, calls, bill], dim=1)

X_train, X_test = X[:320], X[320:]
y_train, y_test = churn[:320], churn[320:]
mean, std = X_train.mean(0), X_train.std(0)
X_train = (X_train - mean) / std
X_test = (X_test - mean) / std

model = nn.Sequential(
    nn.Linear(3, 32), nn.ReLU(), nn.Dropout(0.5),
    nn.Linear(32, 32), nn.ReLU(), nn.Dropout(0.5),
    nn.Linear(32, 1),
)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)

model.train()
for epoch in range(40):
    perm = torch.randperm(len(X_train))
    for i in range(0, len(perm), 64):
        idx = perm[i:i + 64]
        optimizer.zero_grad()
        loss = criterion(model(X_train[idx]).squeeze(1), y_train[idx])
        loss.backward()
        optimizer.step()

# write the scores for the test customers
with torch.no_grad():
    scores = torch.sigmoid(model(X_test).squeeze(1))

out = io.StringIO()
writer = csv.writer(out)
writer.writerow(["row", "score", "churned"])
for i, (s, t) in enumerate(zip(scores.tolist(), y_test.tolist())):
    writer.writerow([i, round(s, 4), int(t)])
print(out.getvalue().splitlines()[:3])
print("accuracy", ((scores > 0.5).float() == y_test).float().mean().item())
