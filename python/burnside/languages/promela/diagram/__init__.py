"""A Promela model once its processes are there: `instances` finds them, `values` what their variables can hold as far as the
text says. `channels.channel_diagram` is made of these.
"""
