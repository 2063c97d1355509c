print(f"{x")
print(f'{a['b']} {c}')
print(f"{}")
y = f"}"
