import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import make_classification
from sklearn.decomposition import PCA
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

X, y = make_classification(n_samples=600, n_features=40, n_informative=10, random_state=7)

scaler = StandardScaler()
X = scaler.fit_transform(X)
pca = PCA(n_components=15)
X = pca.fit_transform(X)

X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, stratify=y, random_state=0)

X_train = torch.tensor(X_train, dtype=torch.float32)
X_test = torch.tensor(X_test, dtype=torch.float32)
y_train = torch.tensor(y_train, dtype=torch.float32)
y_test = torch.tensor(y_test, dtype=torch.float32)

model = nn.Sequential(
    nn.Linear(15, 32),
    nn.ReLU(),
    nn.Dropout(0.2),
    nn.Linear(32, 1),
)
loss_fn = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

for epoch in range(20):
    model.train()
    order = np.random.permutation(len(X_train))
    for start in range(0, len(order), 40):
        idx = order[start:start + 40]
        optimizer.zero_grad()
        loss = loss_fn(model(X_train[idx]).squeeze(1), y_train[idx])
        loss.backward()
        optimizer.step()

model.eval()
with torch.no_grad():
    pred = (model(X_test).squeeze(1) > 0).float()
print("test accuracy: %.3f" % (pred == y_test).float().mean().item())
