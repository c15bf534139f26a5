"""The findings in English: for each code and variant a sentence and a suggestion. The variant "" serves all others."""

from __future__ import annotations

CODES: dict[str, dict[str, tuple[str, str]]] = {
    "in-both-lists": {
        "": (
            "“{phrase}” is required and forbidden at once: no answer can pass.",
            "Remove it from one of the lists.",
        ),
        "spelling": (
            "The forbidden phrase “{phrase}” says the same as the required phrase “{other}”: a right answer that writes both fails.",
            "Remove it from must_not_include, or write the wrong claim that was meant.",
        ),
    },
    "forbidden-in-required": {
        "": (
            "The forbidden phrase “{phrase}” is inside the required phrase “{other}”: no answer can pass.",
            "Remove the forbidden phrase, or put its subject in front so that it is no longer part of the required one.",
        ),
    },
    "required-in-forbidden": {
        "": (
            "The required phrase “{phrase}” is part of the forbidden phrase “{other}”: a wrong answer satisfies it too.",
            "Lengthen the required phrase until only a right answer has it.",
        ),
    },
    "duplicate-phrase": {
        "": (
            "“{phrase}” is in this list already; to the fact gate both are the same.",
            "Remove one of them, or write the other fact that was meant.",
        ),
        "spelling": (
            "“{phrase}” says the same as “{other}”, and both are required: an answer that writes it in one way only fails.",
            "Keep one of them, or move the choice to the rubric.",
        ),
    },
    "contained-phrase": {
        "required": (
            "“{phrase}” is covered by “{other}”: where the long one is, the short one is.",
            "Remove the short phrase.",
        ),
        "forbidden": (
            "“{other}” holds “{phrase}”: the short one already forbids all that the long one does.",
            "Remove the long phrase, or the short one if it forbids too much.",
        ),
    },
    "forbidden-in-own-answer": {
        "": (
            "The item's own ideal answer holds the forbidden phrase “{phrase}”, so it would fail its own contract.",
            "Correct the ideal answer, or remove the forbidden phrase.",
        ),
    },
    "missing-from-own-answer": {
        "": (
            "The required phrase “{phrase}” is missing from the item's own ideal answer, which would fail.",
            "Use words that the ideal answer really has, or complete the answer.",
        ),
    },
    "short-fragment": {
        "forbidden": (
            "“{phrase}” hits other words: {words}. Right answers fail because of them.",
            "Write a distinctive wrong claim of several words, not a single word or abbreviation.",
        ),
        "forbidden-short": (
            "“{phrase}” is very short (characters: {letters}): it is easily part of something else, and right answers fail because of it.",
            "Write a distinctive wrong claim of several words, not a single word or abbreviation.",
        ),
        "required": (
            "“{phrase}” is also found inside other words: {words}. An answer that does not say it can pass.",
            "Add the words around it until it fits the fact only.",
        ),
        "required-short": (
            "“{phrase}” is very short (characters: {letters}): it can be part of something else by chance.",
            "Add the words around it, or write it out.",
        ),
        "always": (
            "“{phrase}” is forbidden, and nearly every answer contains it: this item can never pass.",
            "Remove it, and write a distinctive wrong claim of several words.",
        ),
    },
    "common-word": {
        "forbidden": (
            "“{phrase}” is an everyday word: right answers often contain it and fail.",
            "Write the wrong claim in several words.",
        ),
        "required": (
            "“{phrase}” is an everyday word: wrong answers contain it too.",
            "Write the fact in several words.",
        ),
        "alone": (
            "“{phrase}” is all that this item requires, and it is a general word: wrong answers on the subject contain it too.",
            "Write the fact in several words, or add another one.",
        ),
    },
    "edge-digits": {
        "only-number": (
            "“{phrase}” is only a number: it matches inside longer ones, such as “{example}”.",
            "Add the words before and after it, such as its unit.",
        ),
        "left": (
            "“{phrase}” begins with a digit, so it also matches “{example}”.",
            "Put the word that stands before it in front, such as “at most” or “within”.",
        ),
        "right": (
            "“{phrase}” ends with a digit, so it also matches “{example}”.",
            "Add what follows the number in the answer, such as its unit.",
        ),
    },
    "edge-code": {
        "": (
            "“{phrase}” also matches longer abbreviations: {longer}.",
            "Add the word after “{code}”, or write it out.",
        ),
        "numeral": (
            "“{phrase}” ends with a Roman numeral, so it also matches longer ones: {longer}.",
            "Add the word after “{code}”.",
        ),
        "letter": (
            "“{phrase}” ends with a single letter, so it also matches “{longer}”.",
            "Add the word after “{code}”.",
        ),
    },
    "forbidden-number": {
        "": (
            "“{phrase}” is only a number: an answer that says it no longer holds fails too.",
            "Write the whole wrong claim, with what the number is: a fee, an age, a time limit.",
        ),
    },
    "own-denial": {
        "": (
            "“{phrase}” is part of its own denial. A right answer that says “{denial}” fails.",
            "Write the claim with its subject, so that the denial falls into the middle of the phrase; or move it to the rubric.",
        ),
        "named": (
            "“{phrase}” is part of its own denial. A right answer that says “{denial}” fails.",
            "Name the subject: “{better}”. Or move it to the rubric.",
        ),
    },
    "required-denied": {
        "": (
            "An answer that denies it, “{denial}”, also contains the required phrase “{phrase}”.",
            "Lengthen the phrase to the left until a denial breaks it, or forbid the denial.",
        ),
        "named": (
            "An answer that denies it, “{denial}”, also contains the required phrase “{phrase}”.",
            "Name the subject: “{better}”; or forbid the denial.",
        ),
    },
    "in-question": {
        "required": (
            "The required phrase “{phrase}” stands in the question: a refusal that echoes the question gets it for nothing.",
            "Require a fact that only an answer can know.",
        ),
        "forbidden": (
            "The forbidden phrase “{phrase}” stands in the question: an answer that repeats the question fails for that.",
            "Write the wrong claim in other words, or move it to the rubric.",
        ),
    },
    "in-refusal": {
        "required": (
            "The required phrase “{phrase}” also occurs in a polite refusal that answers nothing.",
            "Require a fact that belongs to this question.",
        ),
        "forbidden": (
            "The forbidden phrase “{phrase}” also occurs in an honest refusal, which then fails like a wrong answer.",
            "Make the wrong claim more distinctive.",
        ),
    },
    "sentence-not-fact": {
        "": (
            "“{phrase}” is a sentence ({count} words), not a fact: an answer that says the same hardly ever uses the same words.",
            "Take the part that must appear exactly so (number, name, term) and move the rest to the rubric.",
        ),
    },
    "list-in-phrase": {
        "": (
            "“{phrase}” names several things in one phrase: order, commas and the “and” must be exactly the same.",
            "Write each part as a phrase of its own.",
        ),
        "choice": (
            "“{phrase}” is a choice in one phrase: an answer that names both the other way round, or only one of them, fails.",
            "Move the choice to the rubric, or require what every right answer says.",
        ),
    },
    "alternatives": {
        "": (
            "“{phrase}” has a “{sign}”: that very text is looked for, not “{first}” or “{second}”.",
            "Choose one form, or move the choice to the rubric.",
        ),
    },
    "punctuation": {
        "typographic": (
            "“{phrase}” has the signs {signs}, which answers seldom write just so.",
            "Write it with plain signs: {plain}",
        ),
        "quotes": (
            "“{phrase}” has quotation marks: an answer without them, or with other ones, fails.",
            "Write it without: {plain}",
        ),
        "end": (
            "“{phrase}” ends with “{signs}”, which is looked for too.",
            "Write it without: {plain}",
        ),
        "parentheses": (
            "“{phrase}” has a part in parentheses, “{signs}”: an answer that leaves it out fails.",
            "Require what stands outside the parentheses, or write each as a phrase of its own.",
        ),
    },
    "markdown-in-phrase": {
        "": (
            "“{phrase}” has formatting marks or pictures ({signs}): whether an answer is formatted just so is chance.",
            "Write the text alone.",
        ),
        "assertion": ("“{phrase}” begins with “{signs}”, a tool's name of a check: no answer holds it.", "Write “{plain}”."),
    },
    "looks-cut": {
        "phrase": (
            "“{phrase}” looks cut off.",
            "Complete it; if it holds a comma, a colon or a “#”, put it in quotes in the YAML file.",
        ),
        "nearly": (
            "“{phrase}” is nearly “{passage}”, which stands in this item: a word is left out, or the order is another.",
            "If the same is meant, write “{passage}”; answers hardly ever write it otherwise.",
        ),
        "question": (
            "This question looks cut off: “{phrase}”.",
            "Complete it, and put it in quotes in the YAML file.",
        ),
    },
    "currency-form": {
        "": (
            "The amount in “{phrase}” can be written otherwise, such as “{example}”; that answer fails.",
            "Use the form that the chatbot always writes, or leave the amount to the rubric.",
        ),
    },
    "digit-grouping": {
        "": (
            "The number in “{phrase}” can be written otherwise, such as “{example}”; that answer fails.",
            "Use the form that the chatbot always writes, or leave the number to the rubric.",
        ),
    },
    "number-in-words": {
        "": (
            "The number in “{phrase}” can be written in figures, in words or both, such as “{example}”; that answer fails.",
            "Take a part without the number that articles and everyday answers share, and leave the number to the rubric.",
        ),
    },
    "one-date-spelling": {
        "": (
            "The date in “{phrase}” can be written otherwise, such as “{example}”; that answer fails.",
            "Write “10 Juli 2026” as regulations do, or only month and year.",
        ),
    },
    "citation-form": {
        "": (
            "The regulation in “{phrase}” can be cited otherwise, such as “{example}”; that answer fails.",
            "Use the form that the chatbot always writes, or only the number or the name that stands in every form.",
        ),
    },
    "near-synonym": {
        "": (
            "There is another word or spelling for “{phrase}”, such as “{example}”; that answer fails.",
            "Choose a part of the fact that has no other word, or move it to the rubric.",
        ),
    },
    "affixed-form": {
        "": (
            "“{phrase}” is only one form of the word; an answer that uses “{example}” fails.",
            "Add words around it that are certain, or move it to the rubric.",
        ),
    },
    "ages": {
        "fee": (
            "“{phrase}” has a fee or an amount that may change, and the item has no date to be reviewed again.",
            "Set review.due to the date by which the item is to be reviewed.",
        ),
        "date": (
            "“{phrase}” has a date, and the item has no date to be reviewed again.",
            "Set review.due to the date by which the item is to be reviewed.",
        ),
        "now": (
            "“{phrase}” is only true now, and the item has no date to be reviewed again.",
            "Name the time, or set review.due.",
        ),
        "text": (
            "The {part} says “{word}”, which may change, and the item has no date to be reviewed again.",
            "Set review.due to the date by which the item is to be reviewed.",
        ),
        "question": (
            "The question says “{word}”: its answer changes with time, and the item has no date to be reviewed again.",
            "Set review.due, or ask about a fixed time.",
        ),
    },
    "verified-without-review": {
        "": (
            "The item is verified, but it does not say by whom, when and on what grounds.",
            "Add review: by, at, source, due.",
        ),
    },
    "passes-empty": {
        "": (
            "The item requires nothing: an answer that says nothing gets through the fact gate.",
            "Add a fact to must_include.",
        ),
    },
    "passes-refusal": {
        "": (
            "A polite refusal gets through the fact gate of this item.",
            "Require a fact that no refusal can hold.",
        ),
    },
    "passes-echo": {
        "": (
            "A refusal that echoes the question gets through the fact gate: all required phrases stand in the question.",
            "Require a fact that only an answer can know.",
        ),
    },
    "passes-denial": {
        "": (
            "An answer that denies every fact of this item gets through the fact gate.",
            "Put the subject in front of the phrases, or forbid the denial.",
        ),
    },
    "passes-other-answer": {
        "": (
            "The right answer to {count} other items, such as {first}, passes here too.",
            "Add a fact that belongs to this question.",
        ),
    },
    "duplicate-question": {
        "": (
            "Item {other} asks the same question.",
            "Join the two items, or change one of the questions.",
        ),
    },
    "flaky-phrase": {
        "": (
            "“{phrase}” is in only {found} of the last {total} answers to this question: it sometimes passes, sometimes fails.",
            "Look at the answers without it; if they are right, use a phrase that all of them have.",
        ),
    },
    "never-present": {
        "": (
            "“{phrase}” is in none of the last {total} answers to this question.",
            "Look at the answers: if they are right, it is the phrase that must change.",
        ),
    },
    "fails-passed-answers": {
        "required": (
            "“{phrase}” is missing from {count} of {total} stored answers that passed: they would all fail.",
            "See whether those answers are wrong; if not, change the phrase.",
        ),
        "forbidden": (
            "“{phrase}” is in {count} of {total} stored answers that passed: they would all fail.",
            "See whether those answers are wrong; if not, change the phrase.",
        ),
    },
    "dead-phrase": {
        "required": (
            "“{phrase}” is in all of the last {total} answers: it has never failed one.",
            "Leave it if it is the main fact; otherwise find one that tells right answers from wrong ones.",
        ),
        "forbidden": (
            "“{phrase}” is in none of the last {total} answers: it has never failed one.",
            "Leave it if the mistake is a real one; otherwise remove it.",
        ),
    },
    "cut-by-yaml": {
        "": (
            "“ #” starts a comment in YAML: only “{phrase}” is read, and “{lost}” is lost.",
            'Put it in quotes: "{whole}"',
        ),
    },
    "comma-in-list": {
        "": (
            "A comma without quotes makes two phrases of “{first}” and “{phrase}”. Were two meant?",
            'If one, put it in quotes: ["{whole}"]; if two, put each in quotes.',
        ),
    },
    "unneeded-acceptance": {
        "": (
            "The acceptance of {code} for “{phrase}” silences nothing.",
            "Remove it from accepted.",
        ),
        "unknown": (
            "There is no hazard with the code {code}, so its acceptance for “{phrase}” does nothing.",
            "Correct the code, or remove it from accepted.",
        ),
    },
}

FACTS: dict[str, str] = {
    "inside-words": "inside the words: {words} (in all: {count})",
    "inside-codes": "inside the abbreviations: {codes}",
    "no-word-list": "the full word list is not installed, so only few words were checked (pip install 'goldenlib[words]')",
    "chance": "about {percent} of answers of 100 words contain it by chance",
    "also-found-in": "also matches: {texts}",
    "code-meanings": "{codes}",
    "denied-in-answers": "denied in {count} of {total} stored answers to this item",
    "passage": "“{passage}”",
    "refusal": "a refusal: “{text}”",
    "also-written": "also written: {variants}",
    "written-otherwise": "{count} of {total} stored answers write it otherwise, and fail",
    "example-answer": "this answer gets through: “{text}”",
    "other-items": "gets through: the answer to {ids} ({count} of {total} items)",
    "failed-answers": "{count} of these {total} answers failed for something else",
    "stored-here": "in {found} of {total} stored answers to this item; {passed} of them passed",
    "stored-everywhere": "in {found} of {total} stored answers to all items; {passed} of them passed",
    "at": "line {line}, column {column}",
}

SEVERITIES = {"error": "error", "warning": "warning", "note": "note"}
TOTALS = "errors: {errors}, warnings: {warnings}, notes: {notes}; items: {items}"
NOTHING = "nothing to look at"
NO_WORDS = "wordfreq is not installed: only a short word list was searched (pip install 'goldenlib[words]')"
