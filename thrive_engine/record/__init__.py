"""Whole games as records: a tree of turns with tags, read and written as a stream.

A record is written the way PGN writes one, a list of positions the way EPD does; see
spec/records.md.

>>> record = read_record('[White "Ada"] 1. a1a2+a2gi {[%eval 0.35] quiet} (1. b1b2+b2gi!) *')
>>> print(record.turns[0], record.end.eval, record.end.comments, len(record.root.children))
a1a2+a2gi 0.35 ['quiet'] 2
"""

from thrive_engine.record.builder import Limits
from thrive_engine.record.node import Eval, Node
from thrive_engine.record.positions import Entry, read_positions, write_positions
from thrive_engine.record.reader import read_record, read_records
from thrive_engine.record.tree import Record, write_record

__all__ = [
    "Entry",
    "Eval",
    "Limits",
    "Node",
    "Record",
    "read_positions",
    "read_record",
    "read_records",
    "write_positions",
    "write_record",
]
