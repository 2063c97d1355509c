# note
if x:  # why
	y = f"{a!r}" 'b'
>>> z = 0x1F
%time q
