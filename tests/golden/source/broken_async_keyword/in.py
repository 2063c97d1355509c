x = x.cuda(async=True)
y = async.x
