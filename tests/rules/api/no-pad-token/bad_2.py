from transformers import AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained('distilgpt2')


def encode(rows):
    return tokenizer(rows['text'], truncation=True, max_length=128, padding='max_length')


encode({'text': ['one', 'two']})
