def fit(model, train, valid, patience=5):
    best_loss = 1e9
    bad_epochs = 0
    for epoch in range(100):
        model.train_on_batch(*train)
        loss = model.test_on_batch(*valid)
        if loss >= best_loss:
            bad_epochs = bad_epochs + 1
        else:
            best_loss = loss
            model.save('best.h5')
        if bad_epochs >= patience:
            print('stop')
            break
