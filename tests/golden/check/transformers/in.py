import torch
from torch import nn
from transformers import AutoModelForTokenClassification, BertModel, BertTokenizer


class Classifier(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.bert = BertModel.from_pretrained("bert-base-uncased")
        self.out = nn.Linear(512, classes)

    def forward(self, ids, mask):
        return self.out(self.bert(input_ids=ids, attention_mask=mask).pooler_output)  # 768


tokenizer = BertTokenizer.from_pretrained("bert-base-uncased")
words = tokenizer(["one", "two"], padding="max_length", max_length=16, return_tensors="pt")
Classifier(3)(words["input_ids"], words.attention_mask)

tagger = AutoModelForTokenClassification.from_pretrained("roberta-base", num_labels=9).cuda()
tagger(**words)  # still on the processor
words.to("cuda")
x = tagger(**words).logits.view(2 * 16, 9)
x = tagger(**words).logits.view(2 * 16, 8)  # nine classes
x = tagger(words["input_ids"][0])  # no batch

tagger.classifier = nn.Linear(768, 8)
x = tagger(**words).logits.view(2 * 16, 8)
