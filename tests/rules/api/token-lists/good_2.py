import torch
from transformers import AutoModel, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')
model = AutoModel.from_pretrained('bert-base-uncased')
lists = tokenizer(['one', 'two'])
print(model(torch.tensor(lists['input_ids'])).last_hidden_state)
