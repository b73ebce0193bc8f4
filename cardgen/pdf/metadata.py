"""What a file says of itself: Info and XMP, how it wants to be printed, in which language it is. No dates: the same
input gives the same bytes."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from cardgen.model.sheet import Imposition, Imprint

if TYPE_CHECKING:
    import pikepdf

CREATOR = "cardgen"

_XMP = """<?xpacket begin="\N{ZERO WIDTH NO-BREAK SPACE}" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" \
xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
{properties}
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>"""


def write_metadata(pdf: pikepdf.Pdf, imposition: Imposition) -> None:
    """Put title, credits, subject and language into the file, and that it is to be printed at full size."""
    import pikepdf

    imprint = imposition.imprint
    info: Any = pdf.docinfo
    info["/Creator"] = CREATOR
    info["/Producer"] = CREATOR
    authors = "; ".join(filter(None, (imprint.credits, imprint.translators)))
    for key, value in (
        ("/Title", title(imprint)),
        ("/Author", authors),
        ("/Subject", imprint.subject),
        ("/Keywords", imprint.report),
    ):
        if value:
            info[key] = value
    xmp = pikepdf.Stream(pdf, packet(imprint).encode("utf-8"))
    xmp.Type, xmp.Subtype = pikepdf.Name.Metadata, pikepdf.Name.XML
    root: Any = pdf.Root
    root.Metadata = pdf.make_indirect(xmp)
    if imprint.lang:
        root.Lang = imprint.lang
    root.ViewerPreferences = _preferences(imposition)


def title(imprint: Imprint) -> str:
    """The file's title: the print's, with its version."""
    return f"{imprint.title} {imprint.version}".strip()


def packet(imprint: Imprint) -> str:
    """The XMP packet of an imprint."""
    properties = [
        "<dc:format>application/pdf</dc:format>",
        f"<xmp:CreatorTool>{CREATOR}</xmp:CreatorTool>",
        f"<pdf:Producer>{CREATOR}</pdf:Producer>",
        _alternative("dc:title", title(imprint)),
    ]
    if imprint.credits:
        properties.append(
            f"<dc:creator><rdf:Seq><rdf:li>{escape(imprint.credits, quote=False)}</rdf:li></rdf:Seq></dc:creator>"
        )
    if imprint.translators:
        names = escape(imprint.translators, quote=False)
        properties.append(f"<dc:contributor><rdf:Bag><rdf:li>{names}</rdf:li></rdf:Bag></dc:contributor>")
    if imprint.licence:
        properties.append(_alternative("dc:rights", imprint.licence))
    if imprint.report:
        properties.append(
            f"<dc:relation><rdf:Bag><rdf:li>{escape(imprint.report, quote=False)}</rdf:li></rdf:Bag></dc:relation>"
        )
    if imprint.subject:
        properties.append(_alternative("dc:description", imprint.subject))
    if imprint.lang:
        properties.append(
            f"<dc:language><rdf:Bag><rdf:li>{escape(imprint.lang, quote=False)}</rdf:li></rdf:Bag></dc:language>"
        )
    return _XMP.format(properties="\n".join(properties))


def _alternative(name: str, text: str) -> str:
    return f'<{name}><rdf:Alt><rdf:li xml:lang="x-default">{escape(text, quote=False)}</rdf:li></rdf:Alt></{name}>'


def _preferences(imposition: Imposition) -> pikepdf.Dictionary:
    import pikepdf

    # Name("/None"): the attribute Name.None_ would write /None_. It unticks "fit to page" in the print dialog.
    preferences = pikepdf.Dictionary(PrintScaling=pikepdf.Name("/None"), DisplayDocTitle=True)
    if imposition.duplex is not None:
        edge = "Long" if imposition.duplex == "long-edge" else "Short"
        preferences.Duplex = pikepdf.Name(f"/DuplexFlip{edge}Edge")
    if imposition.template.paper is not None:
        # The paper is a real one; let the printer take it from the tray that has it.
        preferences.PickTrayByPDFSize = True
    return preferences
