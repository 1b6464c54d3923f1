"""What distinguishes the eight servers, in the figures that the paper's tables lead to.

On one drive LBF with four agents takes about a quarter of the objects' time added up (`hours`), and FlexLBF
the largest of the longest object, the bytes at 80 MB/s and a tenth of that sum. So what table I, II and III
say of a server fixes its longest object, its sum of time and its speed nearly alone; durations end at
16 hours as in section III.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Character:
    """One server's character.

    Attributes:
        objects: how many objects it backs up, 70 to 130.
        long_share: the share of them that takes above an hour.
        giants: how many of these are nearly as long as the longest: what a random order starts too late.
        longest: hours of its longest object.
        hours: hours of all objects added up.
        speed: MB/s of its streams, averaged over their time.
    """

    objects: int
    long_share: float
    giants: int
    longest: float
    hours: float
    speed: float


CHARACTERS = (
    Character(objects=104, long_share=0.27, giants=4, longest=15.6, hours=100, speed=12.3),
    # Faster objects, of which the longest bounds the session.
    Character(objects=84, long_share=0.26, giants=3, longest=11.6, hours=63, speed=11.8),
    # Many slow objects: it takes many agents to keep a drive busy.
    Character(objects=116, long_share=0.27, giants=5, longest=13.4, hours=104, speed=9.4),
    Character(objects=84, long_share=0.16, giants=4, longest=6.6, hours=42, speed=9.2),
    Character(objects=72, long_share=0.15, giants=3, longest=4.7, hours=27, speed=9.6),
    # More bytes than one drive takes in the time of its longest object.
    Character(objects=96, long_share=0.25, giants=4, longest=10.2, hours=68, speed=12.6),
    Character(objects=74, long_share=0.12, giants=3, longest=4.8, hours=25, speed=11.0),
    # The fastest streams: few of them fill a drive.
    Character(objects=88, long_share=0.18, giants=3, longest=9.2, hours=48, speed=13.1),
)
