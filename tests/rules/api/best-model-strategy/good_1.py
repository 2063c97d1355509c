from transformers import TrainingArguments

args = TrainingArguments(output_dir='out', eval_strategy='epoch', save_strategy='epoch', load_best_model_at_end=True)
