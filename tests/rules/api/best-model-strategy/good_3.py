from transformers import TrainingArguments

options = {'eval_strategy': 'epoch', 'save_strategy': 'epoch'}
args = TrainingArguments(output_dir='out', load_best_model_at_end=True, **options)
plain = TrainingArguments(output_dir='out', eval_strategy='epoch')
