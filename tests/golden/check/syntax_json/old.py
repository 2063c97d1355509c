import torch
print "a"
