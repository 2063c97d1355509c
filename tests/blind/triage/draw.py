"""Draws the candidates for the blind triage labels. Population: union of the eight project
files and locate_dev.jsonl.gz (same report once), sorted by project and id; seed 20261118;
400 candidates in drawn order, then 10 practice reports from the rest.

usage: draw.py DENCHMARK_FOLDER OUTPUT_FOLDER
"""
import collections, glob, gzip, json, random, sys
D, OUT = sys.argv[1] + '/', sys.argv[2] + '/'
pop = {}
for f in sorted(glob.glob(D + '*__*.jsonl.gz')) + [D + 'locate_dev.jsonl.gz']:
    for line in gzip.open(f, 'rt', encoding='utf-8'):
        r = json.loads(line)
        key = (r['project'].replace('__', '+').replace('/', '+').lower(), int(r['id']))
        pop.setdefault(key, {'project': key[0], 'id': str(key[1]), 'summary': r['summary'], 'description': r['description']})
keys = sorted(pop)
rng = random.Random(20261118)
cand = rng.sample(keys, min(400, len(keys)))
rest = [k for k in keys if k not in set(cand)]
prac = rng.sample(rest, 10)
for name, ks in (('candidates.jsonl', cand), ('practice.jsonl', prac)):
    with open(OUT + name, 'w', encoding='utf-8') as o:
        for n, k in enumerate(ks):
            o.write(json.dumps(dict(pop[k], n=n), ensure_ascii=False) + '\n')
print(len(keys), len(cand), len(prac))
print(collections.Counter(k[0] for k in keys))
print(collections.Counter(k[0] for k in cand))
