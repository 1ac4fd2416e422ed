# calls itself on the half that is left
def look_up(words, word, low=0, high=None):
    high = len(words) if high is None else high
    if low >= high:
        raise KeyError(word)
    middle = low + (high - low) // 2
    if word == words[middle]:
        return [middle]
    ends = (low, middle) if word < words[middle] else (middle + 1, high)
    return [middle] + look_up(words, word, *ends)
