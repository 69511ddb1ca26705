"""The rules of certification, over flat programs. Each has its argument in `docs/programs.md`.

`orders`: whose order a permutation changes. `values`: nothing orders or computes with what moves. `turns`: no loop depends
on the order of its turns. `positions`: entries of bags are named by nothing but positions that are still theirs. `renaming`:
the renamed program is the program again.
"""
