import torch
from transformers import BertModel

bert = BertModel.from_pretrained('bert-base-cased')
states, pooled = bert(torch.randint(0, 1000, (2, 9)), return_dict=False)
print(states.shape, pooled.shape)
