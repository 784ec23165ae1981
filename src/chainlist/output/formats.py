"""Formats of pictures, by the suffix of their files. (Help pages name them, and load nothing that draws.)"""

STILL = ("png", "svg", "pdf")
MOVING = ("gif", "mp4")
PICTURES = (*STILL, *MOVING)
