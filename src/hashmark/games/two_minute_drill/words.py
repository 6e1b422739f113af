from hashmark.table.rules import Words

WORDS = Words(
    clock=lambda m, g: "",
    situation=lambda m, g: "",
    sentence=lambda t: t.name,
    to_gain=lambda m, g: None,
    tables=list,
    calls={},
)
