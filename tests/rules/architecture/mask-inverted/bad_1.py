import torch.nn.functional as F


def attend(q, k, v, attention_mask):
    mask = None
    if attention_mask is not None:
        mask = attention_mask == 0
        mask = mask.unsqueeze(1).unsqueeze(2)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
