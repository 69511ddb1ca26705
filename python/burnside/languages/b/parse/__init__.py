"""From text to trees: `lexer`, `cursor`, `expressions` and `atoms`, `substitutions`, `definitions` and their `expansion`,
`machines`, and `project` for all files of a model."""
