from .impl import build
