from transformers import TrainingArguments

args = TrainingArguments(output_dir='out', num_train_epochs=3, load_best_model_at_end=True)
