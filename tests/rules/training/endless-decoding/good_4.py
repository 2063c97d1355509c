import numpy as np
def decode(model, state, bos, eos, max_len=30):
    tok, out = bos, []
    while True:
        p, state = model.predict([np.array([[tok]]), state])
        tok = int(np.argmax(p))
        if tok == eos or len(out) >= max_len:
            break
        out.append(tok)
    return out
