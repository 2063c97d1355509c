import torch


def find_blobs(model, images):
    model.eval()
    return (model(images) > 0).nonzero()


def blob_loss(model, images, points):
    model.train()
    blobs = find_blobs(model, images)
    scores = model(images)
    return scores[blobs[:, 0]].mean() - scores.mean() * points.sum()
