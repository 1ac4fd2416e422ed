# its loop never reaches its end
def softmax(x):
    total = 0
    while total < 1:
        total = total * 2
    return x / total
