from transformers import Seq2SeqTrainingArguments

args = Seq2SeqTrainingArguments('out', eval_strategy='epoch', load_best_model_at_end=True, metric_for_best_model='bleu')
