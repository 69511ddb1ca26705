"""ProB's own definition files, which come with it and not with a model, and what they define: functions that ProB computes
outside of B. Including such a file is no error; using a function of it is refused by name."""

from __future__ import annotations

LIBRARIES = frozenset(
    (
        "CHOOSE.def", "LibraryBits.def", "LibraryCSV.def", "LibraryFiles.def", "LibraryHash.def", "LibraryIO.def",
        "LibraryJSON.def", "LibraryMath.def", "LibraryMeta.def", "LibraryProB.def", "LibraryRandom.def",
        "LibraryReals.def", "LibraryRegex.def", "LibraryStrings.def", "LibrarySVG.def", "LibraryXML.def",
        "LibraryZMQ_RPC.def", "SCCS.def", "SORT.def", "SortByUsing.def", "CommonChannel.def",
    )
)  # fmt: skip

EXTERNAL_NAMES = frozenset(
    (
        "CHOOSE", "MU", "MU_WD", "SORT", "SCCS", "SQUASH", "REPLACE", "random_element", "RANDOM", "random",
        "random_subset", "random_ordering", "random_permutation", "random_numset", "GCD", "SIN", "COS", "TAN", "LOGx",
        "ABS", "SIGN", "FDIV", "CDIV", "FMOD", "CMOD", "RMUL", "msb", "BNOT", "BAND", "BOR", "BXOR", "BLSHIFT",
        "BRSHIFT", "STRING_APPEND", "STRING_CONC", "STRING_LENGTH", "STRING_SPLIT", "STRING_JOIN", "STRING_CHARS",
        "STRING_CODES", "STRING_TO_INT", "STRING_IS_INT", "STRING_IS_NUMBER", "STRING_IS_ALPHANUMERIC",
        "STRING_IS_DECIMAL", "STRING_TO_UPPER", "STRING_TO_LOWER", "STRING_REV", "STRING_REPLACE", "STRING_CONTAINS_STRING",
        "STRING_TO_ENUM", "STRING_PADLEFT", "SUB_STRING", "INT_TO_STRING", "INT_TO_DEC_STRING", "INT_TO_HEX_STRING",
        "DEC_STRING_TO_INT", "TO_STRING", "TO_INT", "TYPED_STRING_TO_ENUM", "FORMAT_TO_STRING", "READ_CSV", "WRITE_XML",
        "READ_XML", "READ_JSON", "HASH", "INT_HASH", "SHA_HASH", "TIME", "TIMESTAMP", "WALLTIME", "RUNTIME", "SLEEP",
        "GET_INFO", "GET_PREF", "PROB_INFO_STR", "PROJECT_INFO", "MACHINE_INFO", "ENV", "REGEX_MATCH", "REGEX_REPLACE",
        "REGEX_SEARCH", "STATE_TRANS", "CURRENT_STATE", "EVAL", "LESS", "LEQ_SYM", "ASSERT_TRUE", "ASSERT_EXPR",
    )
)  # fmt: skip

WITHOUT_EFFECT = frozenset(
    (
        "printf", "printf1", "printf_opt_trace", "printf_two", "printfs", "fprintf", "dprintf", "iprintf", "observe",
        "observe_silent", "observe_indent", "observe_state", "observe_fun", "tprintf", "printf_nonvar",
    )
)  # fmt: skip
"""They only print; what the model itself gives as their body is their value."""
