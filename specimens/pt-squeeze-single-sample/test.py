import sys

import main

model = main.PriceModel().fit(*main.known_flats())
for count in (3, 2, 1):
    lines = main.quote(model, [[60.0, 2.0, 4.0]] * count)
    if len(lines) != count:
        print(f"FAIL: {count} requests got {len(lines)} lines")
        sys.exit(1)
price = float(model.predict([[60.0, 2.0, 4.0]])[0])
if not 120 < price < 205:
    print(f"FAIL: a flat of 60 m2 is said to cost {price:.0f} thousand, wanted about 162")
    sys.exit(1)
print("PASS: one request is answered like many")
