"""The default agent: one directory, as a tar stream, onto one drive.

A drive is a directory (a virtual tape, which takes any number of streams at once) or a tape device (one
stream at a time). Standard library only: every backup of every object starts this code once, and there
may be thousands in a night.
"""
