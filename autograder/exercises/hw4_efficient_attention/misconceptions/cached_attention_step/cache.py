"""What learners get wrong in cached_attention_step: cache."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from .reference import ATTENDED, NEW_CACHE

MISCONCEPTIONS = (
    Variant(
        tag="cache-not-extended",
        description="Returns the cache as it came in: the new token is not in it",
        message="The cache that you return lacks the new token, so the next step knows nothing of "
        "it. What this step attends to, the next one needs as well.",
        edits={NEW_CACHE: "return output, (k, v) if cache is None else cache"},
    ),
    Variant(
        tag="cache-never-begun",
        description="Returns the argument cache: after the first step it is still None",
        message="You return the argument `cache` itself, which is None at the first step and stays "
        "so: nothing is ever remembered. Which two tensors should the next step find?",
        edits={NEW_CACHE: "return output, cache"},
    ),
    Variant(
        tag="cache-newest-only",
        description="Returns a cache of the new token alone: the older ones are forgotten",
        message="Your new cache holds the newest token alone: everything before it is forgotten "
        "after one step. The new cache should have one row more than the old one. Where do the "
        "old rows get lost?",
        edits={NEW_CACHE: "return output, (k, v)"},
    ),
    Variant(
        tag="cache-newest-first",
        description="Puts the new key and value in front of the old ones",
        message="Your cache has the newest token first. The output doesn't mind, but the cache "
        "should be *oldest first*. In which order do you put the two parts together?",
        edits={"[cache[0], k]": "[k, cache[0]]", "[cache[1], v]": "[v, cache[1]]"},
    ),
    Variant(
        tag="cache-values-newest-first",
        description="Keys oldest first, values newest first: they no longer belong together",
        message="Your keys are oldest first and your values newest first, so keys meet the values "
        "of other tokens. Both should be put together in the same order.",
        edits={"[cache[1], v]": "[v, cache[1]]"},
    ),
    Variant(
        tag="cache-values-from-the-keys",
        description="Appends the new value to the old keys: cache[0] is read twice",
        message="Your new cache of values holds the old *keys*, with the new value behind them. "
        "The cache is a pair. Which half of it do you read for the values?",
        edits={"cache[1]": "cache[0]"},
    ),
    Variant(
        tag="cache-keys-from-the-values",
        description="Appends the new key to the old values: cache[1] is read twice",
        message="Your new cache of keys holds the old *values*, with the new key behind them. The "
        "cache is a pair. Which half of it do you read for the keys?",
        edits={"cache[0]": "cache[1]"},
    ),
    Variant(
        tag="cache-new-key-in-both",
        description="Puts the new key behind the old values as well",
        message="From the second step on, the new *key* stands behind the old values as well, and "
        "the new value is lost. If one line joins both halves of the cache: what does it put "
        "behind each of them?",
        edits={"torch.cat([cache[1], v], dim=1)": "torch.cat([cache[1], k], dim=1)"},
    ),
    Variant(
        tag="cache-read-as-values-and-keys",
        description="Takes the old cache for (values, keys)",
        message="You take the old cache for (values, keys), so old values are appended to by the "
        "new key, and old keys by the new value. It is handed to you as (keys, values).",
        edits={"cache[0], k": "cache[1], k", "cache[1], v": "cache[0], v"},
    ),
    Variant(
        tag="cache-of-lists",
        description="Keeps two lists of tensors, and appends to them",
        message="Your cache is a pair of *lists*, with a tensor for each token, and you append to "
        "the ones that were handed to you. The cache should be a pair of tensors, each (batch, t, "
        "d), and the old one should stay as it was. What makes one longer tensor out of two?",
        source="""\
def cached_attention_step(q, k, v, cache):
    cache = ([], []) if cache is None else cache
    cache[0].append(k)
    cache[1].append(v)
    keys, values = torch.cat(cache[0], dim=1), torch.cat(cache[1], dim=1)
    weights = torch.softmax(q @ keys.transpose(1, 2) / math.sqrt(q.shape[-1]), dim=-1)
    return weights @ values, cache
""",
    ),
    Variant(
        tag="cache-new-key-scaled",
        description="Scales the new key before it is stored: old keys are expected to be scaled",
        message="The new token's key is divided by √d before it goes into the cache, so the "
        "cache doesn't hold keys as they are given, and old keys that come in raw don't match "
        "yours. What should the scale be part of: the keys, or this step's scores?",
        edits={
            "    if cache is None": "    k = k / math.sqrt(q.shape[-1])\n    if cache is None",
            "scores / math.sqrt(q.shape[-1])": "scores",
        },
    ),
    Variant(
        tag="cache-all-keys-scaled",
        description="Scales all keys and returns them: old ones are scaled again in each step",
        message="All keys in your new cache have been divided by √d, the old ones included, so "
        "they get smaller with every step. What goes into the cache should come back as it was.",
        edits={
            "    attended, heard": "    keys = keys / math.sqrt(q.shape[-1])\n    attended, heard",
            "scores / math.sqrt(q.shape[-1])": "scores",
        },
    ),
    Variant(
        tag="cache-stacked",
        description="Uses torch.stack for torch.cat: a new axis, and the lengths clash",
        message="Old and new are put together along a *new* axis, and for that they would need the "
        "same shape: (batch, t, d) and (batch, 1, d) differ. Which function makes an axis longer "
        "that is already there?",
        edits={"torch.cat": "torch.stack", "transpose(1, 2)": "mT"},
    ),
    Variant(
        tag="cache-grows-twice",
        description="Appends the new token twice: for attending and again for returning",
        message="Your cache grows by two tokens per step: the new one is in it twice. Once is "
        "enough, for attending and for the next step alike. Where in your function does the cache "
        "grow?",
        edits={
            NEW_CACHE: "return output, (torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1))"
        },
    ),
    Variant(
        tag="cache-keys-and-values-swapped",
        description="Returns the cache as (values, keys)",
        message="Your new cache is (values, keys), so the next step looks for keys among values. "
        "It should be (keys, values), as it came in. Where do the two change places?",
        edits={NEW_CACHE: "return output, (values, keys)"},
    ),
    *(
        Variant(
            tag=f"cache-{kept}-twice",
            description=f"Returns the {kept} in both places of the cache",
            message=f"Both parts of your new cache are the {kept}, so the {lost} are lost before "
            "the next step. The output of this step is another matter. Look at the names in the "
            "pair that you return.",
            edits={NEW_CACHE: f"return output, ({kept}, {kept})"},
        )
        for kept, lost in (("keys", "values"), ("values", "keys"))
    ),
    Variant(
        tag="cache-of-keys-alone",
        description="Returns the keys alone as the new cache",
        message="Your new cache holds keys and no values. The next step will find out how much "
        "each old token counts, but not what it has to say. A cache is a pair of tensors.",
        edits={NEW_CACHE: "return output, keys"},
    ),
    Variant(
        tag="cache-values-not-extended",
        description="Extends the keys but not the values: the sizes clash",
        message="You extend the keys but not the values, so there is one weight more than there "
        "are values to weigh. Each token in the cache has both. Where does the new token's value "
        "go?",
        edits={"torch.cat([cache[1], v], dim=1)": "cache[1]"},
    ),
    Variant(
        tag="cache-written-into-a-tuple",
        description="Assigns to cache[0], but the cache is a tuple",
        message="You write into the cache that was handed to you, where a tuple can't be assigned "
        "to. That is as it should be: somebody may still need the old cache. Make new tensors, and "
        "a new pair.",
        edits={"keys = torch": "cache[0] = torch", "values = torch": "cache[1] = torch"},
    ),
    Variant(
        tag="cache-appended-to-a-tuple",
        description="Calls cache.append, but the cache is a tuple",
        message="The cache is a tuple, and a tuple has no `append`. That is as it should be, since "
        "the cache that was handed to you must stay as it is; and its keys are one tensor, not a "
        "list of tensors. Look for a function that makes one longer tensor out of two.",
        source="""\
def cached_attention_step(q, k, v, cache):
    if cache is None:
        keys, values = k, v
    else:
        cache.append((k, v))
        keys, values = cache
    weights = torch.softmax(q @ keys.transpose(1, 2) / math.sqrt(q.shape[-1]), dim=-1)
    return weights @ values, (keys, values)
""",
    ),
    *(
        Variant(
            tag=f"cache-read-by-names-as-{keys}",
            description=f"Reads and returns the cache as a dictionary, {keys} and {values}",
            message="You ask the cache for its parts by name, as one asks a dictionary. It is "
            "handed to you as a pair, and a pair knows its parts by their places alone; what you "
            "return should be a pair as well. Which part comes first?",
            source=f"""\
def cached_attention_step(q, k, v, cache):
    if cache is not None:
        k = torch.cat([cache["{keys}"], k], dim=1)
        v = torch.cat([cache["{values}"], v], dim=1)
    weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(q.shape[-1]), dim=-1)
    return weights @ v, {{"{keys}": k, "{values}": v}}
""",
        )
        for keys, values in (("keys", "values"), ("key", "value"), ("k", "v"))
    ),
    Variant(
        tag="cache-in-one-tensor",
        description="Returns keys and values stacked to one tensor, (2, batch, t + 1, d)",
        message="Your new cache is a single tensor, in which keys and values lie one behind the "
        "other along a new first axis. It can be taken apart like a pair, but a pair is asked "
        "for, of two tensors that stay as they are. How is a pair written in Python?",
        edits={NEW_CACHE: "return output, torch.stack([keys, values])"},
    ),
    Variant(
        tag="cache-joined-along-the-batch",
        description="Concatenates along the batch axis",
        message="You append along the first axis, which is the batch: new sentences instead of a "
        "new token. In (batch, t, d), which axis counts tokens?",
        edits={"dim=1)": "dim=0)"},
    ),
    Variant(
        tag="cache-joined-along-the-features",
        description="Concatenates along the last axis, the features",
        message="You append along the last axis, which holds features: longer vectors instead of "
        "more tokens. In (batch, t, d), t counts tokens.",
        edits={"dim=1)": "dim=2)"},
    ),
    Variant(
        tag="cache-begun-with-zeros",
        description="Begins with a row of zeros, which stays in front of the first token",
        message="In front of the first token your cache holds a row of zeros, as if a token had "
        "been there. A key of zeros has the score 0, which is a score like any other, so it takes "
        "a share of the attention in every step. How many rows are there after the first step, "
        "and how many tokens?",
        edits={
            "keys, values = k, v\n": (
                "keys, values = (torch.cat([torch.zeros_like(x), x], dim=1) for x in (k, v))\n"
            )
        },
    ),
    Variant(
        tag="cache-none-indexed",
        description="Reads cache[0] at the first step, where the cache is None",
        message="At the very first step there is no cache: it is None, and None has no parts. What "
        "are the keys and the values when the new token is the only one?",
        source="""\
def cached_attention_step(q, k, v, cache):
    keys = torch.cat([cache[0], k], dim=1)
    values = torch.cat([cache[1], v], dim=1)
    weights = torch.softmax(q @ keys.transpose(1, 2) / math.sqrt(q.shape[-1]), dim=-1)
    return weights @ values, (keys, values)
""",
    ),
    Variant(
        tag="cache-none-unpacked",
        description="Unpacks the cache at the first step, where it is None",
        message="At the very first step there is no cache: it is None, and None can't be taken "
        "apart. The new token is then the only one.",
        source="""\
def cached_attention_step(q, k, v, cache):
    keys, values = cache
    keys, values = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
    weights = torch.softmax(q @ keys.transpose(1, 2) / math.sqrt(q.shape[-1]), dim=-1)
    return weights @ values, (keys, values)
""",
    ),
    Variant(
        tag="cache-swapped-throughout",
        description="Reads and returns the cache as (values, keys)",
        message="Your cache is (values, keys) throughout: you read it so, and return it so. With a "
        "cache of your own that goes well, but it is handed to you as (keys, values), and that is "
        "what should come back.",
        edits={
            "[cache[0], k]": "[cache[1], k]",
            "[cache[1], v]": "[cache[0], v]",
            NEW_CACHE: "return output, (values, keys)",
        },
    ),
    Variant(
        tag="cache-output-kept-for-the-value",
        description="Keeps the output in the cache, where the new token's value belongs",
        message="The last row of your cache of values holds the output of this step, where the "
        "new token's value belongs. The output is for the caller; later tokens average the values "
        "as they came in.",
        edits={NEW_CACHE: "values = torch.cat([values[:, :-1], output], dim=1)\n    " + NEW_CACHE},
    ),
    Variant(
        tag="cache-query-kept-for-the-key",
        description="Keeps the query in the cache, where the new token's key belongs",
        message="The last row of your cache of keys holds the new token's query. Later tokens "
        "never ask for an old query: they look for its key.",
        edits={NEW_CACHE: "keys = torch.cat([keys[:, :-1], q], dim=1)\n    " + NEW_CACHE},
    ),
    Variant(
        tag="cache-query-joined-to-the-keys",
        description="Appends the new query to the old keys, and attends to it there",
        message="Behind the old keys you put the new token's *query*, so it meets itself by what "
        "it looks for, and later tokens find an old query among the keys. A token is found by "
        "something else. Which of your inputs is never put behind the old keys?",
        edits={"[cache[0], k]": "[cache[0], q]"},
    ),
    Variant(
        tag="cache-of-its-own",
        description="Keeps keys and values in a variable of its own and ignores the cache given",
        message="The same token with the same cache gets another output once your function was "
        "called in between: something is remembered from call to call, or left to chance. Two "
        "texts may be continued in turn, so all that a step knows should come in by its arguments.",
        source="""\
seen = []

def cached_attention_step(q, k, v, cache):
    if cache is None:
        seen.clear()
    seen.append((k, v))
    keys = torch.cat([key for key, _ in seen], dim=1)
    values = torch.cat([value for _, value in seen], dim=1)
    weights = torch.softmax(q @ keys.transpose(1, 2) / math.sqrt(q.shape[-1]), dim=-1)
    return weights @ values, (keys, values)
""",
    ),
    *(
        Variant(
            tag=f"cache-of-the-last-{length}",
            description=f"Keeps the last {length} tokens only",
            message="Your cache holds so many tokens and no more: the oldest are let go. A "
            "window of that kind is the first exercise; here every token stays, however long the "
            "text gets. Which line cuts the cache?",
            edits={
                ATTENDED: f"keys, values = keys[:, -{length}:], values[:, -{length}:]\n"
                f"    {ATTENDED}"
            },
        )
        for length in (4, 8, 10, 16, 32, 64, 128, 256, 512, 1000, 1024)
    ),
    Variant(
        tag="cache-kept-in-halves",
        description="Keeps keys and values in float16",
        message="Your cache holds numbers of 16 bits, and those have about three digits: what came "
        "in as float32 doesn't come back as it was, and the output is made of what is left. Where "
        "do keys and values get another type?",
        edits={
            ATTENDED: "keys, values = keys.half(), values.half()\n"
            "    attended, heard = keys.float(), values.float()"
        },
    ),
)

EXAMPLES = (
    WorkedExample(
        """
One token has been here before. Its key has four entries, each of them 0, and its value has four
entries of 4. Now a second one comes, with a query of ones, a key of 1.1 and a value of 8.

After the step, the cache holds what all tokens have said so far, the oldest first: the keys 0 and
1.1, and the values 4 and 8. Below, each row is a token, with the first entry of its key on the
left and that of its value on the right.

Nothing else changes. What was stored before is stored as it came in, the new token is there once,
and its query isn't kept, since nobody will ask for it again. The next step finds 1 + 1 = 2 tokens,
and the one after that 2 + 1 = 3.

How many rows has yours, and which number is in a place where it doesn't belong?""",
        """\
q, k, v = torch.ones(1, 1, 4), 1.1 * torch.ones(1, 1, 4), 8.0 * torch.ones(1, 1, 4)
output, (keys, values) = cached_attention_step(q, k, v, (0.0 * k, v / 2))
torch.stack([keys[0, :, 0], values[0, :, 0]], dim=1)""",
        [[0.0, 4.0], [1.1, 8.0]],
    ),
)
