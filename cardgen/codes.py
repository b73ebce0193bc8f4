"""Every diagnostic code, in one table: what it says, how bad it is, what to do. A code is never reused.

`docs/errors.md` is generated from here. Messages are `str.format` templates over a diagnostic's arguments.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from cardgen.codes_of_translations import TRANSLATION_CODES

Severity = Literal["error", "warning", "info"]


class Code(Struct, frozen=True):
    """One entry of the table: severity, message template, and the explanation printed in the docs.

    `each` names the arguments that say whom a problem befell; problems that differ in nothing else are told once, with
    their number.
    """

    severity: Severity
    message: str
    about: str
    each: tuple[str, ...] = ()


CODES: dict[str, Code] = {}
# What the first digit of a code says.
SECTIONS = {
    "CG0": "Files and values",
    "CG1": "Games, cards, decks and prints",
    "CG2": "Translations",
    "CG3": "Faces",
    "CG4": "Sheets",
    "CG5": "Files written",
    "CG6": "Rules",
}


def _add(code: str, severity: Severity, message: str, about: str, each: tuple[str, ...] = ()) -> None:
    if code in CODES:
        raise ValueError(f"code {code} is declared twice")
    CODES[code] = Code(severity, message, about, each)


# --- files and YAML -------------------------------------------------------------------------------------------------
_add("CG001", "error", "{problem}", "A file is missing, too large, a folder, or lies outside the project.")
_add("CG002", "error", "expected UTF-8 text, found {found}", "All text files are UTF-8; a byte order mark is fine.")
_add("CG003", "error", "not valid YAML: {problem}", "The YAML parser could not go on from here.")
_add("CG004", "error", "found a tab; indent and separate with spaces", "YAML readers disagree about tabs.")
_add("CG005", "error", "duplicate key `{key}`", "A mapping may hold a key once; the later one would win in silence.")
_add("CG006", "error", "aliases repeat more than {limit} values", "Aliases are bounded.")
_add("CG007", "error", "nested deeper than {limit} levels", "Nesting is bounded.")
_add("CG008", "error", "found the control character {found}", "Control characters have no place in text files.")
_add("CG009", "error", "the file is empty", "A file that exists must say something.")
_add("CG010", "error", "expected a plain key, found a list or mapping as key", "Keys are words.")
_add("CG011", "error", "found the tag `{tag}`; values carry no tags", "Tags could ask a reader to build objects.")
_add("CG012", "error", "merge keys (`<<`) are not part of the format", "Every card states its own values.")
_add("CG013", "error", "the alias `*{name}` stands inside what it repeats", "A value cannot hold itself.")
_add("CG014", "error", "the file holds more than {limit} values", "The size of a file is bounded.")

# --- values ---------------------------------------------------------------------------------------------------------
_add("CG020", "error", "expected {expected}, found {found}", "A value of the wrong type.")
_add("CG021", "error", "expected {expected}, found {found}", "A length needs a number and a unit: mm, cm, in or pt.")
_add("CG022", "error", "{found} is out of range; allowed: {allowed}", "A number or length beyond its bounds.")
_add("CG023", "error", "the text has {length} characters; at most {limit} are allowed", "A text is too long.")
_add("CG024", "error", "expected one of {values}, found {found}", "A word that is not one of the choices.")
_add("CG025", "error", "`{key}` is missing in {what}", "A required key.")
_add("CG026", "error", "wrong number of entries: {found}; allowed: {allowed}", "A list or mapping of the wrong length.")

# --- cards, decks, games --------------------------------------------------------------------------------------------
_add("CG100", "error", "unknown key `{key}` in {what}", "A key that this file does not have.")
_add("CG102", "error", "unknown field `{key}` in {what}", "A field that the card's kind does not declare.")
_add("CG104", "error", "there is no {what} `{name}`", "A name that points to nothing.")
_add("CG105", "error", "{what} `{name}` exists already{other}", "Ids are unique.")
_add("CG106", "error", "`{name}` is a reserved name for a {what}", "The name already means something else.")
_add("CG107", "error", "keyword `{keyword}` takes {wanted}", "A keyword's parameter is missing or not wanted.")
_add("CG108", "error", "`{key}` says nothing about a {type} field", "Options belong to types of fields.")
_add(
    "CG109",
    "error",
    "band `{band}` covers {start} to {end}; {problem}",
    "The bands of a track follow one another without gap or overlap.",
)
_add("CG110", "error", "derived field `{field}`: {problem}", "An expression that cannot be compiled.")
_add("CG111", "error", "the expression reads `{name}`, which does not exist", "Names are checked when a game loads.")
_add("CG112", "error", "derived fields depend on each other in a circle: {fields}", "No order computes them.")
_add("CG113", "error", "the bands of track `{track}` end at {last}; the track ends at {end}", "Bands cover a track.")
_add(
    "CG114",
    "error",
    "print `{print}` must state one of `deck`, `kinds`, `components` and `booklet`",
    "What a print holds.",
)
_add(
    "CG115",
    "error",
    "derived field `{field}` of card `{card}`: {problem}",
    "An expression failed on this card.",
    each=("card",),
)
_add("CG116", "warning", "the project has no games", "Games are the folders under cards/.")
_add("CG119", "warning", "no game of the project has the language `{lang}`", "Games name their languages.")
_add("CG118", "error", "`languages` does not name the source language `{name}`", "The source is one of them.")
_add("CG117", "warning", "print `{print}` holds no cards", "Nothing to print.")
_add(
    "CG120",
    "error",
    "a part of a kit is a `deck`, a `component`, one of `cards`, `brings`, `entries` and `itself`, or a component of one of these",
    "What a kit holds; docs/kits.md.",
)
_add(
    "CG122", "error", "print `{print}` is no booklet and has no `paper_thickness`", "What is not folded does not creep."
)
_add(
    "CG124",
    "warning",
    "card `{card}` is in no deck and is not printed; cards of kind `{kind}` are printed by {decks}",
    "A card that nobody put into a deck; `copies: 0` says that this is meant.",
)
_add("CG127", "error", "`{name}` may stand in {file}, which cannot be read (line {line})", "Mend the file first.")
_add("CG128", "error", "the most of `{field}` is {most}, and {printed} is printed", "`limits` of a record.")
_add("CG121", "error", "a packed sheet needs a `paper`", "Pieces of many sizes make no page of their own.")

for _code, (_severity, _message, _about) in TRANSLATION_CODES.items():
    _add(_code, _severity, _message, _about)

# --- faces ----------------------------------------------------------------------------------------------------------
_add("CG301", "error", "the layout cannot be read: {problem}", "A syntax error in a Jinja layout.")
_add(
    "CG302",
    "error",
    "{face} ({lang}): {problem}",
    "A layout failed while it was filled with this card.",
    each=("face", "lang"),
)
_add("CG303", "error", "unknown engine `{engine}`", "The layout names an engine that does not exist.")
_add("CG304", "error", "{face}: {problem}", "The engine could not draw this face.")
_add("CG305", "error", "{problem} is outside the card profile", "See docs/card-profile.md for what layouts may use.")
_add(
    "CG306",
    "error",
    "{context} ({lang}): there is no icon `{name}`",
    "Icons are SVG files of the game or shared.",
    each=("lang",),
)
_add("CG307", "warning", "the image `{name}` of {owner} is missing", "A placeholder is printed instead.")
_add(
    "CG308",
    "error",
    "{role} font: no glyph for {chars} in `{context}` ({lang})",
    "No font of the role has it.",
    each=("lang",),
)
_add(
    "CG309",
    "error",
    "{face} ({lang}): `{field}` overflows its box by {overflow} mm",
    "The text does not fit.",
    each=("lang",),
)
_add(
    "CG310", "error", "`{context}` ({lang}): {problem}", "Inline markup that is opened and not closed.", each=("lang",)
)
_add("CG311", "error", "cannot read the style sheet: {problem}", "A style sheet with a syntax error.")
_add("CG312", "error", "`{name}` is not a usable image: {problem}", "An image or icon that cannot be read.")
_add("CG313", "error", "`{name}` is not a usable font: {problem}", "A font file that cannot be read.")
_add("CG314", "warning", "the engine says: {problem}", "A style or picture that the layout engine did not take.")
_add("CG315", "warning", "{face}: `{name}` prints at {dpi} dpi; at least {least} are wanted", "A coarse picture.")
_add("CG316", "warning", "`{name}` writes text in {fonts}", "A text in an SVG picture whose font is not a role.")
_add("CG317", "info", "`{name}` {what}", "A picture that is printed otherwise than it is stored; nothing is lost.")

_add(
    "CG318",
    "error",
    "{face} ({lang}): layout `{layout}` puts text of `{box}` {by} mm beyond the trim, where it is cut off: `{text}`",
    "Text, or an icon in it, that the cut takes away. Backgrounds and pictures may run over the edge.",
)
_add(
    "CG319",
    "error",
    "{face} ({lang}): layout `{layout}` hides {by} mm of the text of `{box}`: `{text}`",
    "Text that an element with `overflow: hidden` cuts off.",
)
_add(
    "CG320",
    "error",
    "{face} ({lang}): text of `{box}` in layout `{layout}` leaves its box by {by} mm: `{text}`",
    "Text outside of `fit` boxes that stands out of the element whose width or height bounds it, by more than 0.5 mm.",
)
_add(
    "CG321",
    "warning",
    "{face} ({lang}): layout `{layout}` puts text of `{box}` {room} mm from the cut, {safe} mm are safe: `{text}`",
    "Letters more than 1 mm inside of the margin that the trim calls `safe`.",
)
_add(
    "CG322",
    "error",
    "layout `{layout}`: the box of `{field}` has no {lack} of its own",
    "A `fit` box is placed and has a height, or there is nothing that its text could be made to fit.",
)
_add(
    "CG323",
    "error",
    "`{field}` overflows its box on all {count} cards of layout `{layout}`, by {least} to {most} mm",
    "A box that is too small for every card that uses it.",
)
_add(
    "CG324",
    "error",
    "layout `{layout}` ({lang}): no font has a glyph for {chars}",
    "A character that a layout prints, or that a style makes of another, and no font of fonts.yaml has.",
    each=("lang",),
)
_add(
    "CG325",
    "error",
    "`{address}` is not part of the project and is never looked at",
    "Layouts reach no network and no files outside of the project.",
)

_add(
    "CG326",
    "warning",
    "`{name}` does not say how large it is, so that it is not scaled to the room it has",
    "An SVG picture has a `viewBox`, or a `width` and a `height`.",
)

# --- sheets and files written ---------------------------------------------------------------------------------------
_add("CG401", "error", "print `{print}` ({lang}): {problem}", "The pieces do not fit the paper.", each=("lang",))
_add("CG402", "warning", "print `{print}`: {problem}", "A sheet had no room for something it should carry.")
_add("CG403", "error", "print `{print}`: pieces of different trims ({trims}) in one grid", "One trim a grid.")
_add("CG404", "error", "print `{print}`: cards of kind {kinds} have no layout", "A kind needs a `front` to be printed.")
_add("CG405", "warning", "{print}: not printed, because of their errors: {cards}", "Cards with errors are not printed.")
_add("CG406", "error", "component `{component}`: {problem}", "Options that do not go together.")
_add("CG407", "warning", "the bands do not agree on {line}: {values}", "A kit is set up as the first band says.")
_add("CG408", "error", "kit: {problem}", "A part of a kit that cannot be worked out.")
_add(
    "CG409",
    "error",
    "print `{print}` ({lang}): pieces of many sizes cannot be folded behind each other: {pieces}",
    "`gutterfold` is for cards of one size; packed sheets have their backs printed `duplex` or `separate`.",
    each=("lang",),
)
_add(
    "CG410",
    "warning",
    "{print}: printer `{printer}` was not measured for {pages} pages; their backs are corrected by no offset",
    "Drivers turn pages that lie one way or the other, so that what is measured of one does not hold for the other.",
    each=("print",),
)
_add(
    "CG412",
    "error",
    "print `{print}` ({lang}) has {count:piece|pieces}, more than the {limit} that one print may have",
    "Split it: several decks or prints make several files, of which each can be printed.",
    each=("lang",),
)
_add("CG420", "error", "nothing is noted as printed", "`cardgen printed` notes it, when the sheets are printed.")
_add(
    "CG421",
    "info",
    "nothing is noted as printed of `{name}`; it is left out",
    "What changed is told of what was printed.",
)
_add("CG422", "error", "no card has the code `{wanted}`", "Neither in the ledger nor as the cards are now.")
_add(
    "CG423",
    "error",
    "`{wanted}` may be {count} different cards: {cards}",
    "Type more of the code, or look at the title.",
)
_add(
    "CG550",
    "error",
    "{game} is not released in {lang}: {what}",
    "A release is finished: mend it, or say `--anyway`.",
    each=("lang",),
)
_add(
    "CG411",
    "warning",
    "print `{print}` holds cards, which keep their size and number",
    "`--size`, `--scale` and `--sets` are for components.",
)
_add("CG551", "error", "not usable as cards: {problem}", "A JSON file that an import reads.")
_add("CG552", "warning", "card {number} is left out: {problem}", "An import takes the others.")
_add(
    "CG553",
    "warning",
    "card `{card}` has {found} copies; a card may have 0 to {most}, and gets {taken}",
    "An import takes the rest of the card as it is.",
)
_add("CG554", "warning", "there is no file with {lang} translations", "`translations` of the map says where they lie.")
_add(
    "CG555",
    "warning",
    "{count:name in brackets is no icon of the game and stays a word|names in brackets are no icons of the game and stay words}: {names}",
    "An import takes `[name]` in HTML for an icon where the game has it.",
)
_add(
    "CG556",
    "warning",
    "print `{print}` has changed since {since} and is still version {version}: {what}",
    "Who has the old sheets cannot tell them from the new ones; raise the `version` of the print.",
)
_add("CG501", "error", "{problem}", "The disk refused.")
_add(
    "CG510",
    "warning",
    "along the {edge} edge the sheet came out at {percent} % of its size",
    "Printers are a few tenths of a per cent off; more is the print dialogue's `fit to page`.",
)
_add(
    "CG511",
    "warning",
    "printer `{printer}`: backs were turned by {old} degrees when it was measured before, and by {new} now",
    "One turn holds for all pages of a printer. The new one is kept; which is right, a third sheet tells.",
)
_add(
    "CG530",
    "error",
    "{profile} has no size for `{print}` of {found} mm; it knows {sold}",
    "A print service sells the sizes that its profile (layouts/_exports) lists.",
    each=("print",),
)
_add("CG531", "error", "{profile}: `{print}`: {problem}", "Too little bleed, or too large, for the service.")
_add(
    "CG532",
    "info",
    "`{print}` is not exported in full: {count} of its pieces are nothing for {profile}, such as `{first}`",
    "Exports are of cards: pieces with a front, or a front and a back, that are cut straight, of a size that is sold.",
)
_add("CG533", "error", "`{print}`: sheets that are folded and glued have no cut guides", "A machine cuts flat sheets.")

# --- rules ----------------------------------------------------------------------------------------------------------
_add("CG601", "error", "rule `{rule}`: `{op}` and `limit` do not go together", "`true` and `empty` have no limit.")
_add("CG602", "error", "rule `{rule}`: the message must name `{{{name}}}`", "Players ask for the figures first.")
_add("CG603", "error", "rule `{rule}`: nothing is called `{{{name}}}`", "Messages name what the rule computes.")
_add("CG604", "error", "rule packs extend each other in a circle: {packs}", "A pack extends one that stands alone.")
_add("CG605", "error", "set-up line `{line}` must state `formula` or `value`, and not both", "How it is computed.")
_add("CG606", "error", "`{rule}`: `{part}`: {problem}", "An expression of a pack that cannot be compiled or run.")
_add("CG607", "error", "rule `{rule}` is {found} on an example that says {expected}", "Examples are run as tests.")
_add("CG608", "error", "formula `{formula}` gives {found} where an example says {expected}", "Examples are run.")
_add("CG610", "error", "{message}", "A rule of the game is broken; shown under the rule's own id.")
_add("CG611", "error", "`{band}` is {found}; it expects to be {expected}", "The band says what verdict it should get.")
_add("CG612", "warning", "{message}", "Advice of a rule; shown under the rule's own id.")
_add("CG613", "error", "there is no rule or ruling `{name}` in pack `{pack}`", "A name that points to nothing.")
_add("CG614", "error", "`{band}` expects {rule} to find something, and it does not", "See `expect` of the band.")
_add("CG615", "info", "{message}", "A remark of a rule; shown under the rule's own id.")
_add("CG616", "error", "`{band}`: {rule} finds something that is not expected", "See `expect` of the band.")
_add("CG617", "error", "`{id}`: there is no {what} `{name}`", "A name inside of a pack that points to nothing.")
_add(
    "CG618",
    "error",
    "`{id}` reads `rulings.{name}` and does not list it under `rulings`",
    "So that `explain` can tell.",
)
_add(
    "CG630", "error", "`{field}` of the card of {entry}: {problem}", "See `card` of the kind of band.", each=("entry",)
)
_add("CG631", "error", "no {types} can choose `{option}` ({what})", "An option that nobody can have.")
_add("CG632", "error", "no legal band can have `{card}`: {problem}", "A card that no band can field.")
_add("CG633", "error", "this pack of a catalogue cannot be used: {problem}", "A zip file; docs/format.md.")
_add(
    "CG634",
    "error",
    "`{file}` was changed by hand, or did not come from a pack, and the pack has another one",
    "`cardgen catalogue update` replaces it with `--force` only.",
    each=("file",),
)
_add("CG635", "error", "`{entry}` has {options}, which the new catalogue does not have", "Entries of saved bands.")
_add(
    "CG636", "warning", "`{band}` mixes versions {versions} of the catalogue", "Some entries were kept, some migrated."
)
_add("CG637", "error", "`{band}` cannot be brought to the new catalogue: {problem}", "Nothing is installed then.")

# --- odds and booklets ------------------------------------------------------------------------------------------------
_add("CG670", "error", "odds `{odds}`: {problem}", "Odds of game.yaml that cannot be computed with what is given.")
_add(
    "CG671",
    "error",
    "odds `{odds}` of card `{card}`: {problem}",
    "Odds that a kind declares and that cannot be computed for a card.",
    each=("card",),
)
_add("CG680", "error", "booklet `{booklet}` has no title", "The first heading, `# …`, is its title.")
_add("CG681", "error", "`{{{insert}}}`: {problem}", "What stands in braces on a line of its own is set from the game.")
_add("CG682", "error", "found {found}", "Booklets have headings, paragraphs, lists, quotes, breaks and inserts.")
_add(
    "CG690",
    "info",
    "`{print}` is a booklet, which is printed anew as a whole; it is not noted",
    "The ledger is of pieces that are cut out.",
    each=("print",),
)
