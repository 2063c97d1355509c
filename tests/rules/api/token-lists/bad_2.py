from transformers import BertForSequenceClassification, BertTokenizer

tokenizer = BertTokenizer.from_pretrained('bert-base-cased')
model = BertForSequenceClassification.from_pretrained('bert-base-cased', num_labels=3)
model.eval()


def predict(text):
    encoded = tokenizer.encode_plus(text, truncation=True, max_length=64)
    return model(**encoded).logits.argmax(-1)


print(predict('fine'))
