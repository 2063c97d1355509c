import torch
from transformers import BertForSequenceClassification

model = BertForSequenceClassification.from_pretrained('bert-base-uncased')
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5)


def epoch(batches):
    total = 0
    for batch in batches:
        output = model(**batch)
        output.loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total += output.loss.item()
    return total / len(batches)
