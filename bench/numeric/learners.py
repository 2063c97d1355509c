#!/usr/bin/python3
"""Learners and t-SNE against scikit-learn: one core, processor time, same data."""
import os
import sys
import tempfile
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from peers import best, report, skip
from numeric_peer import Driver, raw_file

NAMES = ("forest-fit", "forest-predict", "boosted-trees", "knn-8", "knn-64", "logistic-text",
         "tsne-2000", "tsne-10000")
try:
    import numpy as np
    import scipy.sparse
    from sklearn import datasets, ensemble, linear_model, manifold, neighbors
except ImportError:
    skip(NAMES, "python3-sklearn")
    sys.exit(0)

warnings.simplefilter("ignore")
driver = Driver()
folder = tempfile.TemporaryDirectory()
rng = np.random.default_rng(11)
wanted = set(sys.argv[1:]) or set(NAMES)


def raw(name, a):
    return raw_file(folder.name, name, np.asarray(a, float))


if wanted & {"forest-fit", "forest-predict", "boosted-trees"}:
    x, y = datasets.make_classification(10000, 20, n_informative=10, random_state=1)
    q = x[:5000]
    fx, fy, fq = raw("x", x), raw("y", y), raw("q", q)
    ours = [driver.call("forest", fx, fy, 20, 2, fq, 100, 0, 1, 1)[:2] for _ in range(5)]
    forest = ensemble.RandomForestClassifier(100, n_jobs=1, random_state=0)
    report("forest-fit", min(o[0] for o in ours), best(1, lambda: forest.fit(x, y)),
           "scikit-learn", 2)
    report("forest-predict", min(o[1] for o in ours), best(5, lambda: forest.predict_proba(q)),
           "scikit-learn", 2)
    ours = min(driver.call("boost", fx, fy, 20, "logistic", 2, fq, 100)[0] for _ in range(3))
    boosted = ensemble.HistGradientBoostingClassifier(max_iter=100, early_stopping=False)
    report("boosted-trees", ours, best(3, lambda: boosted.fit(x, y)), "scikit-learn-hist", 2)
for d in (8, 64):
    if f"knn-{d}" in wanted:
        x, q = rng.normal(size=(20000, d)), rng.normal(size=(5000, d))
        ours = min(driver.call("knn", raw("x", x), d, raw("q", q), 10, 1, 1)[0] for _ in range(3))
        peer = best(2, lambda: neighbors.NearestNeighbors(n_neighbors=10, n_jobs=1).fit(x)
                    .kneighbors(q))
        report(f"knn-{d}", ours, peer, "scikit-learn", 2)
if "logistic-text" in wanted:
    # documents of a Zipf vocabulary, TF-IDF, two classes
    n, d = 8000, 40000
    rows = np.repeat(np.arange(n), 90)
    columns = (rng.zipf(1.3, len(rows)) - 1) % d
    m = scipy.sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(n, d))
    m.sum_duplicates()
    from sklearn.feature_extraction.text import TfidfTransformer
    m = TfidfTransformer(sublinear_tf=True).fit_transform(m).tocsr()
    m.sort_indices()
    y = ((m @ rng.normal(size=d)) + 0.1 * rng.normal(size=n) > 0).astype(int)
    args = (raw("p", m.indptr), raw("i", m.indices), raw("v", m.data), d, raw("y", y), 2, 1, 1e-4)
    got = [driver.call("linear", "logistic", *args) for _ in range(3)]
    model = linear_model.LogisticRegression(tol=1e-4, max_iter=1000)
    peer = best(3, lambda: model.fit(m, y))

    def value(w, b):
        return 0.5 * w @ w + np.logaddexp(0, -(2 * y - 1) * (m @ w + b)).sum()

    ours_value = value(np.array(got[0][2:]), got[0][1])
    assert ours_value < value(model.coef_[0], model.intercept_[0]) * 1.0001
    report("logistic-text", min(g[0] for g in got), peer, "scikit-learn-lbfgs", 2)
for n in (2000, 10000):
    if f"tsne-{n}" in wanted:
        digits = datasets.load_digits().data
        x = (digits if n < 1797 else np.vstack([digits] * (n // 1797 + 1)))[:n]
        x = x + rng.normal(size=x.shape) * 0.5
        rounds = 1000 if n == 2000 else 300
        ours = driver.call("tsne", raw("x", x), 64, 30, rounds, 0, 1)[:2]
        model = manifold.TSNE(init="pca", learning_rate="auto", n_iter=rounds, n_jobs=1,
                              random_state=0, n_iter_without_progress=10 ** 6, min_grad_norm=0)
        peer = best(1, lambda: model.fit(x))
        print(f"tsne-{n}: KL ours {ours[1]:.4f} scikit-learn {model.kl_divergence_:.4f}",
              file=sys.stderr)
        report(f"tsne-{n}", ours[0], peer, "scikit-learn", 2)
