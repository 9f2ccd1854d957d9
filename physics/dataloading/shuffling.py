"""How random the order is in which samples leave a shuffle buffer."""

from physics.arguments import MANY, LimitedCount, count, elementwise


@elementwise
def shuffle_randomness(buffer: LimitedCount, samples: int) -> float:
    """Randomness of the order in which samples that are read in sequence leave a shuffle buffer, 0 to 1 [1].

    Args:
        buffer: B, samples for which the buffer has room [1].
        samples: N, samples that are read in sequence [1], at least 2; a buffer for more than N is one for N.

    1 − ρ, with ρ the expected rank correlation (Spearman) between a sample's place in the store and the one at which it
    is used: 0 for the stored order (B = 1), 1 for a full shuffle (B = N), 6 B² ÷ N² for B far below N.

    From a buffer of the first B samples one, each as likely, is used and the next sample read in its place. With
    q = 1 − 1/B, counting from 0, sample i is used on average at i − (B − 1) q^(N − 1 − i) ÷ 2 if i ≥ B, and at
    (B − 1)(1 − q^(N − B) ÷ 2) if i < B; the sum of i times this place gives ρ exactly.

    Source: WebDataset documentation, `shuffle`: "shuffles the data in a buffer of the given size"; Spearman, "The Proof
    and Measurement of Association between Two Things", 1904. The formula is derived here.

    >>> shuffle_randomness(1, 100), round(shuffle_randomness(10, 100), 3), round(shuffle_randomness(100, 100), 12)
    (0.0, 0.047, 1.0)
    """
    n = count("samples", samples, least=2, most=MANY)
    room = min(buffer, n)
    if room == 1:
        return 0.0
    q, rest = 1 - 1 / room, n - room
    left = q**rest
    moved = room * (n - 1) * (1 - left) - room * (room - 1) * (1 - rest * (left / q) + (rest - 1) * left)
    first = (room - 1) * room * (2 * room - 1) / 6 - (1 - left / 2) * room * (room - 1) ** 2 / 2
    return (first + (room - 1) / 2 * moved) * 12 / (n * (n * n - 1))
