import torch
from torch.optim import AdamW
from torch.utils.data import DataLoader, Dataset
from transformers import AutoModel, AutoTokenizer, get_linear_schedule_with_warmup

NAME = "roberta-base"


class Headlines(Dataset):
    def __init__(self, texts, labels, tokenizer):
        self.enc = tokenizer(texts, truncation=True, padding=True, max_length=48, return_tensors="pt")
        self.labels = torch.tensor(labels)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        item = {k: v[i] for k, v in self.enc.items()}
        item["labels"] = self.labels[i]
        return item


texts = [
    "Local team wins the cup after extra time",
    "Central bank leaves interest rates unchanged",
    "Striker signs a three year contract",
    "Shares fall as inflation rises again",
] * 8
labels = [0, 1, 0, 1] * 8

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
tokenizer = AutoTokenizer.from_pretrained(NAME)
model = AutoModel.from_pretrained(NAME).to(device)
loader = DataLoader(Headlines(texts, labels, tokenizer), batch_size=8, shuffle=True)

epochs = 3
optimizer = AdamW(model.parameters(), lr=2e-5, weight_decay=0.01)
total = epochs * len(loader)
scheduler = get_linear_schedule_with_warmup(optimizer, int(0.1 * total), total)

for epoch in range(epochs):
    model.train()
    running = 0.0
    for batch in loader:
        batch = {k: v.to(device) for k, v in batch.items()}
        optimizer.zero_grad()
        loss = model(**batch).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        running += loss.item()
    print(f"epoch {epoch}: {running / len(loader):.4f}")
