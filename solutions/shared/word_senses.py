import base64
import itertools
import math
import random
import re
import zlib

import numpy as np
import torch
from torch import nn

WORD_SENSES_PATTERNS = """
# What the words in braces of the patterns below stand for. A word in two lines has two senses.
who: she he
whom: her him
name: the girl | the boy | my mother | my father | the teacher | the farmer
when: today | yesterday | last night | this morning
how: big small old new
night: owl moth bat hawk
stick: bat racket hammer stick
shore: bank beach shore lake
till: bank till office fund
season: spring summer winter autumn
part: spring wheel screw bolt
well: spring well stream fountain
jewel: ring necklace bracelet crown
call: ring | phone | email | visit
wader: crane heron stork goose
lifter: crane digger truck lift
rodent: mouse rat rabbit hamster
device: mouse keyboard screen printer
opener: key card code badge
button: key button switch lever
treepart: bark root leaf branch
sound: bark howl growl cry
body: trunk ear tail leg
bag: trunk suitcase bag box
toe: nail toe thumb lip
peg: nail peg pin hook
game: match game race cup
flame: match candle torch lighter
tree: palm oak pine cedar
hand: palm wrist elbow knee
fruit: date plum fig apple
meeting: date time place price
pencil: pen pencil brush chalk
fold: pen barn stable cage
mail: letter parcel card package
symbol: letter sign number digit
ribbon: bow ribbon clip flower
weapon: bow sword spear knife
shrub: plant rose fern tulip
works: plant factory mill workshop
planet: star planet moon comet
singer: star singer actor dancer
snack: chip crisp nut biscuit
circuit: chip sensor cable battery
spread: jam honey butter cheese
delay: jam | accident | storm | fog
stone: rock cliff hill wall
music: rock jazz folk blues
insect: fly beetle wasp
metal: gold silver
boat: boat ship raft
room: cave attic barn
money: money coins cash
machine: clock car machine bicycle
clothes: clothes shoes books

opening: then | but | and then | maybe | we know that

# Sentences that it learned from: {word} is drawn anew each time.
the {night} flew at night
the {night} slept in the {room}
a {night} caught a {insect} in the dark
the {night} hides in the {room} all day
{who} saw a {how} {night} in the dark
the {insect} was afraid of the {night}
{who} swung the {stick}
{who} hit the ball with a {stick}
{name} broke the {stick} in the game
the player held the {how} {stick} with both hands
{who} bought a wooden {stick} {when}
the {boat} lay near the {shore} of the river
we walked along the {shore} {when}
{name} fished from the {shore}
the {shore} was covered with sand and grass
{who} swam to the other {shore}
{who} took the {money} from the {till}
{name} put the {money} into the {till}
the {till} lent {whom} {money}
the {till} is out of {money}
the flowers bloom in {season}
in {season} the days are long
it rained a lot last {season}
we like the weather in {season}
the {machine} has a broken {part}
{who} oiled the {part} of the {machine}
the {part} in the {machine} is made of steel
{name} turned the {part} with a tool
they drank cold water from the {well}
the water of the {well} is clear
the {well} dried up and the water was gone
{who} wore a {metal} {jewel} on the wedding day
{name} lost the {jewel} of {metal}
the {jewel} is made of {metal}
the thief stole a {metal} {jewel}
please {call} me {when}
{who} will {call} {whom} {when}
{name} forgot to {call} {whom}
the {wader} stood in the water on one leg
a {wader} built a nest near the lake
the {wader} spread its wings and flew away
the {wader} ate a fish
the {lifter} carried a heavy load of steel
the driver parked the {lifter} at the building
the {lifter} on the building site broke down
{who} drove the {how} {lifter}
the cat chased the {rodent}
a {rodent} ate the cheese
the {rodent} ran into its hole
the {rodent} has soft fur and a tail
{who} plugged the {device} into the computer
the {device} of the computer is broken
click with the {device} on the file
{name} bought a new {device} for the computer
{who} opened the door with a {opener}
{name} lost the {opener} of the house
the door needs another {opener}
press the {button} to start the program
{who} pressed the {button}
hold down the {button} on the left
the {treepart} of the tree is brown
the beetle sat on the {treepart} of the {tree}
an old tree has a thick {treepart}
we heard the {sound} of the dog
the dog gave a loud {sound}
a {sound} woke us {when}
the elephant raised its {body}
the elephant has a long {body}
the {body} of the elephant is strong
{who} packed the {clothes} into the {bag}
{name} carried the {bag} to the train
the {bag} is full of {clothes}
{who} hurt the {toe} on the left foot
the {toe} of the baby is tiny
{name} painted each {toe} red
{who} hit the {peg} with a hammer
the picture hangs on a {peg}
the {peg} held the coat on the wall
our team won the {game}
the {game} ended at noon
the players lost the {game} {when}
{who} lit the fire with a {flame}
the {flame} burned in the dark
strike a {flame} to see the fire
the {tree} grows in the garden
{name} sat in the shade of a {tree}
the leaves of the {tree} are green
{who} held it in the {hand}
the nurse touched the {hand} of the child
the skin of the {hand} is soft
{who} ate a sweet {fruit}
the {fruit} is ripe and sweet
{name} dried the {fruit} in the sun
we agreed on a {meeting} for the meeting
the {meeting} of the meeting was changed
tell me the {meeting} of the party
{who} wrote with a {pencil}
the {pencil} is out of ink
draw a line with the {pencil} on paper
the sheep slept in the {fold}
{name} locked the sheep into the {fold}
the {fold} was full of animals
{who} posted the {mail}
the {mail} came by post {when}
{name} opened the {mail} from a friend
the word begins with the {symbol}
write the {symbol} on the line
each {symbol} of the word counts
{who} tied a {ribbon} in the hair
the girl wore a red {ribbon} in the hair
the hunter drew the {weapon}
the soldier fought with a {weapon}
the knight carried a shield and a {weapon}
{who} watered the {shrub}
the {shrub} needs water and sun
the {shrub} grows in a pot
the {works} makes new cars
the workers went to the {works} in the morning
the {works} was closed and the workers went home
we saw a bright {planet} in the sky
the {planet} shines above the earth
the telescope showed a distant {planet}
the {singer} went on stage
the {singer} won a prize for the film
everybody clapped for the {singer}
{who} ate a salty {snack}
the child dropped the {snack} and the dog ate it
the {circuit} of the computer got hot
the {circuit} in the phone uses little power
{who} put {spread} on the bread
the {spread} on the bread tastes good
we were late because of the {delay}
the {delay} on the road stopped the cars
{who} climbed the {stone}
the {stone} fell down from the mountain
grass grows on the {stone}
the band plays {music}
{who} likes {music} and sings along
the radio played {music} all day
"""


class WordSenses:
    """A small encoder that has learned to guess hidden words in short sentences.

    It has the shape of the encoder that this notebook builds: d_model 32, 4 heads, d_ff 64, 2 layers,
    embedding times √d_model plus positions. `weights` holds all of it, float32, by the names of the
    exercises; `positions` is its table of positions, and `patterns` are what it learned from.
    """

    d_model, n_heads, d_ff, n_layers, length = 32, 4, 64, 2, 16
    blank = "___"  # stands for a hidden word, and for a word that it doesn't know

    def __init__(self):
        self.weights, (self.lists, self.patterns) = {}, read_patterns(WORD_SENSES_PATTERNS)
        self.words = words_of(self.lists, self.patterns)
        self.numbers = {word: number for number, word in enumerate(self.words)}
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(self.d_model, self.n_heads, self.d_ff, batch_first=True)
            for _ in range(self.n_layers)
        ).eval()
        n, inside = len(self.words), self.layers.state_dict()
        shapes = {"bias": (n,), "embedding.weight": (n, self.d_model)}
        shapes |= {f"layers.{name}": tuple(value.shape) for name, value in inside.items()}
        content, at = zlib.decompress(base64.b64decode(WORD_SENSES_WEIGHTS)), 0
        for name, shape in shapes.items():  # rows of int8, each with a scale
            height, size = math.prod(shape[:-1]), math.prod(shape)
            scales = np.frombuffer(content, "<f2", height, at).astype(np.float32)
            rows = np.frombuffer(content, np.int8, size, at + 2 * height).reshape(height, -1)
            self.weights[name] = torch.tensor((scales[:, None] * rows).reshape(shape))
            at += 2 * height + size
        table = np.frombuffer(content, "<f4", self.length * self.d_model, at)
        self.positions = torch.tensor(table.reshape(self.length, self.d_model))
        self.bias = self.weights.pop("bias")  # of the scores of hidden words
        self.layers.load_state_dict({name: self.weights[f"layers.{name}"] for name in inside})
        self.ambiguous, self.average = [], {}
        self._meet_the_words()

    def numbers_of(self, sentences):
        """Return sentences as numbers (batch, seq) and which of them are padding (batch, seq)."""
        split = [self.split(sentence) for sentence in sentences]
        seq = max(map(len, split))
        unknown = self.numbers[self.blank]
        rows = [[self.numbers.get(word, unknown) for word in words] for words in split]
        tokens = torch.tensor([row + [0] * (seq - len(row)) for row in rows])
        return tokens, torch.tensor([[place >= len(row) for place in range(seq)] for row in rows])

    def split(self, sentence):
        """Return the words of a sentence, in small letters; no more than it can read."""
        return re.findall(r"[\w']+", sentence.lower())[: self.length]

    @torch.no_grad()
    def read(self, tokens, key_padding_mask=None):
        """Return a vector for each token in its context, with PyTorch's own layers."""
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=key_padding_mask)
        return x

    def embed(self, tokens):
        """Return the vectors that the layers start from."""
        table = self.weights["embedding.weight"] * self.d_model**0.5
        return table[tokens] + self.positions[: tokens.shape[1]]

    def vector(self, word, sentence, reader=None):
        """Return the vector that a reader makes of a word in a sentence; the reader may be yours."""
        tokens, padding = self.numbers_of([sentence])
        place = self.split(sentence).index(word)
        with torch.no_grad():
            return (reader or self.read)(tokens, key_padding_mask=padding)[0, place]

    def nearest(self, vector, but=(), n=5):
        """Return the `n` words whose average vectors point most the same way, and how much so."""
        words = [word for word in self.average if word not in but]
        means = torch.stack([self.average[word] for word in words])
        alike = nn.functional.cosine_similarity(means, vector[None])
        return [(words[at], alike[at].item()) for at in alike.argsort(descending=True)[:n]]

    def guesses(self, vector, n=5):
        """Return the `n` likeliest words for a vector that was read at a blank."""
        scores = self.weights["embedding.weight"] @ vector + self.bias
        shares = scores.softmax(dim=-1)
        return [(self.words[at], shares[at].item()) for at in shares.argsort(descending=True)[:n]]

    def quiz(self, reader=None):
        """Return how many words with two meanings a reader understands, and out of how many.

        Each stands in a sentence of each pattern that has a place for it, and is understood if it is
        nearest to a word that can stand there too.
        """
        rng, asked = random.Random(5), []  # noqa: S311 - for sentences
        for kind, words in self.lists.items():
            for pattern in self.patterns:
                for word in (
                    sorted(set(words) & set(self.ambiguous)) if f"{{{kind}}}" in pattern else ()
                ):
                    sentence = fill(pattern.replace(f"{{{kind}}}", word), self.lists, rng)
                    if self.split(sentence).count(word) == 1:
                        asked.append((word, sentence, words))
        tokens, padding = self.numbers_of([sentence for _, sentence, _ in asked])
        with torch.no_grad():
            vectors = (reader or self.read)(tokens, key_padding_mask=padding)
        right = 0
        for vector, row, (word, _, kin) in zip(vectors, tokens.tolist(), asked, strict=True):
            place = row.index(self.numbers[word])
            right += self.nearest(vector[place], but=[word], n=1)[0][0] in kin
        return right, len(asked)

    def _meet_the_words(self):
        """Find out which words have several senses, and the average vector of each of the others."""
        kinds = {}
        for kind, words in self.lists.items():
            for word in words:
                kinds.setdefault(word, []).append(kind)
        self.ambiguous = sorted(word for word, found in kinds.items() if len(found) > 1)
        rng = random.Random(0)  # noqa: S311 - for sentences
        sentences = [fill(pattern, self.lists, rng) for pattern in self.patterns for _ in range(12)]
        tokens, padding = self.numbers_of(sentences)
        vectors = self.read(tokens, padding)
        for number in tokens[~padding].unique().tolist():
            if len(kinds.get(self.words[number], ())) == 1:
                self.average[self.words[number]] = vectors[tokens == number].mean(dim=0)


def read_patterns(text):
    """Return the lists of words by name, and the patterns of sentences."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    lists = {}
    for line in lines:
        name, is_list, words = line.partition(": ")
        if is_list:
            lists[name] = [w.strip() for w in words.split("|")] if "|" in words else words.split()
    return lists, [line for line in lines if ": " not in line]


def words_of(lists, patterns):
    """Return the vocabulary: padding, the blank, and all words of lists and patterns."""
    text = " ".join([*itertools.chain(*lists.values()), *patterns])
    return ["(pad)", "___", *sorted(set(re.sub(r"\{\w+\}", "", text).split()))]


def fill(pattern, lists, rng):
    """Return a sentence of a pattern: each list in braces gives one of its words."""
    while "{" in pattern:
        before, _, rest = pattern.partition("{")
        name, _, after = rest.partition("}")
        pattern = before + rng.choice(lists[name]) + after
    return pattern


WORD_SENSES_WEIGHTS = """
BASE64_OF word_senses/weights.bin
"""
