"""Small programs in the language of kernels, one for each thing it can do."""

from kernels.chance import Chance, draw_below
from kernels.language import (
    count_ones,
    f64s,
    float_bits,
    i32,
    i32s,
    i64,
    i64s,
    less_unsigned,
    new_f64s,
    new_i32s,
    record,
    rotate_left,
    shift_right_unsigned,
    sqrt,
    to_i32,
    to_i64,
    trailing_zeros,
    u8s,
    wrap32,
    wrap64,
)

PRIMES = (2, 3, 5, 7, 11)
WEIGHTS = (0.5, 1, -2.25)
LONG = (1, 1 << 40)
LIMIT = 1000


@record
class Tree:
    """Nodes of a search tree, as a record that arrays and another record belong to."""

    chance: Chance
    visits: i32s
    values: f64s
    used: i32
    finished: bool


def sieve(composite: u8s) -> i32:
    """How many primes there are below the size of the array."""
    count = 0
    for number in range(2, len(composite)):
        if composite[number] == 0:
            count += 1
            multiple = number + number
            while multiple < len(composite):
                composite[multiple] = 1
                multiple += number
    return count


def sort(numbers: i64s) -> None:
    """By insertion."""
    for end in range(1, len(numbers)):
        number = numbers[end]
        place = end
        while place > 0 and numbers[place - 1] > number:
            numbers[place] = numbers[place - 1]
            place -= 1
        numbers[place] = number


def fibonacci(n: i32) -> i64:
    if n < 2:
        return to_i64(n)
    return fibonacci(n - 1) + fibonacci(n - 2)


def divided(a: i32, b: i32) -> i32:
    return a // b * 1000 + a % b


def divided_long(a: i64, b: i64) -> i64:
    return wrap64(a // b * 1000 + a % b)


def divided_by_constants(a: i32) -> i64:
    return to_i64(a // 7) + a % 7 + a // 8 + a % 8 + a // -3 + a % -3


def halves(a: float, b: float) -> float:
    return a / b


def root(a: float) -> float:
    return sqrt(a)


def shifted(a: i64, places: i32) -> i64:
    return wrap64(wrap64(a << places) ^ a >> places)


def shifted_short(a: i32, places: i32) -> i32:
    return wrap32(wrap32(a << places) ^ a >> places)


def bit(place: i32) -> i64:
    mask: i64 = 1 << place
    return mask


def below(place: i32, number: i64) -> i64:
    return number & (1 << place) - 1


def constants(a: i64) -> i64:
    """Constants are computed before they have to fit."""
    return (a & -0x8000000000000000) ^ ((1 << 63) * 2 - 1 >> 4) + (7 // -2)


def mixed(a: i64) -> i64:
    """Hashing: what is inside of wrap64 may be of any size."""
    a = wrap64((a ^ shift_right_unsigned(a, 33)) * 0xFF51AFD7ED558CCD)
    return rotate_left(a, 13) ^ wrap64(-a * 3 + (~a << 5))


def mixed_short(a: i32, b: i32) -> i32:
    return wrap32(a * b * 0x9E3779B1 + (a << 7) - b)


def product(a: i32, b: i32) -> i64:
    return wrap64(a * b * 3)


def counted(a: i64, b: i64) -> i32:
    return count_ones(a) * 100 + trailing_zeros(b) + to_i32(less_unsigned(a, b))


def extremes(a: i32, b: i64, x: float) -> float:
    return float(min(a, b)) + max(x, 2.5) + abs(x) + float(abs(b)) - min(x, float(a))


def logic(a: i32, b: i32) -> i32:
    yes = a < b and ((b != 0 and a // b < 2) or a == 3)
    no = not yes or a >= b
    both = yes & no | (yes ^ no)
    return to_i32(yes) + 2 * to_i32(no) + 4 * to_i32(both == no)


def chosen(a: i32, x: float) -> float:
    return float(a) if a > x else x


def looked_up(number: i32) -> float:
    total: i64 = 0
    for place in range(len(PRIMES)):
        total += PRIMES[place] * LONG[number]
    return float(total) + WEIGHTS[number] + WEIGHTS[2]


def loops(n: i32) -> i32:
    total = 0
    for i in range(n, -n, -3):
        if i % 5 == 0:
            continue
        for j in range(i):
            if j > 7:
                break
            total += i * j
    k = 0
    while True:
        k += 1
        if k > n:
            break
        if k % 2 == 0:
            continue
        total -= k
    return total


def to_the_end(n: i32) -> i32:
    """Ranges that end where an i32 ends."""
    count = 0
    for i in range(n - 5, n, 3):
        count += i % 7
    return count


def changing_bounds(n: i32) -> i32:
    """A range is fixed when the loop begins, whatever happens to its names."""
    limit = n
    total = 0
    for i in range(limit):
        limit = 0
        total += i
        i = 100
        total += i
    return total


def with_arrays(n: i32) -> float:
    """Arrays that a function makes for itself, zeros at first even where others were before."""
    squares = new_i32s(n)
    halved = new_f64s(n)
    total = 0.0
    for i in range(n):
        total += squares[i] + halved[i]
        squares[i] = i * i
        halved[i] = i * 0.5
    if n > 3:
        total += with_arrays(n - 1)
    for i in range(n):
        total += squares[i] * halved[i]
    return total


def push(tree: Tree, value: i32) -> i32:
    tree.used += 1
    tree.visits[tree.used - 1] = value
    return tree.used


def ordered(tree: Tree) -> i32:
    """What is assigned is computed before the place it goes to; what is added to is found before."""
    tree.visits[tree.used] = push(tree, 5)
    tree.visits[tree.used] += push(tree, 7)
    tree.values[tree.used] -= push(tree, 9)
    return tree.used


def grow(tree: Tree, rounds: i32) -> float:
    for _ in range(rounds):
        node = draw_below(tree.chance, len(tree.visits))
        tree.visits[node] += 1
        tree.values[node] += 1.0 / tree.visits[node]
        tree.used = max(tree.used, node)
    tree.finished = tree.used == len(tree.visits) - 1
    best = tree.values[0]
    for node in range(1, len(tree.values)):
        best = max(best, tree.values[node])
    return best


def guarded(a: i32) -> i32:
    """A document."""
    assert a < LIMIT, "too large"
    if a < 0:
        pass
    return a


def nothing(numbers: f64s) -> None:
    if len(numbers) == 0:
        return
    numbers[0] = -numbers[0]


def bits_of(x: float) -> i64:
    return float_bits(-x)


def whole_part(x: float) -> i32:
    return to_i32(x)


def narrowed(a: i64) -> i32:
    return to_i32(a)


def pop(tree: Tree, value: i32) -> i32:
    tree.used -= 1
    return value
