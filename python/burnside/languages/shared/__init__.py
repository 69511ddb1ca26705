"""What readers of text share: `files` (text of a path), `lexer` (tokens), `cursor` (walking over them), `spans` (places in
a text), `chains` (long rows of operators as shallow trees)."""
