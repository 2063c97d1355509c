from torch import nn


class Encoder(nn.Module):
    def __init__(self, words, width, pad):
        super().__init__()
        self.pad_idx = pad
        self.embed = nn.Embedding(words, width, padding_idx=pad)
        layer = nn.TransformerEncoderLayer(width, 8, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 4)

    def forward(self, tokens):
        mask = tokens != self.pad_idx
        return self.encoder(self.embed(tokens), src_key_padding_mask=mask)
