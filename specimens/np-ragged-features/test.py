import sys

import main

model = main.train()
got = main.classify(model, [text for text, _ in main.TEXTS] + ["the lamp is dead again today"])
wanted = [kind for _, kind in main.TEXTS] + ["power"]
if got != wanted:
    print(f"FAIL: reports are classified as {got}")
    sys.exit(1)
print("PASS: reports of any length are classified")
