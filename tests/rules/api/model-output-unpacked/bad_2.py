import torch
from transformers import AutoModelForSequenceClassification

model = AutoModelForSequenceClassification.from_pretrained('roberta-base', num_labels=4)
ids = torch.randint(0, 1000, (2, 9))
loss, logits = model(ids, labels=torch.tensor([0, 3]))
loss.backward()
