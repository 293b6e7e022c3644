"""The arena: engines compete, and the result can be trusted.

Who plays whom (schedule, swiss, knockout), from which positions (openings), and what the results
say (rating, sprt, joint, table) are pure functions: the same input gives the same output, and
nothing here knows a process, a clock or a file that is being written.
"""
