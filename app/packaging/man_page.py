"""The manual's page about the command line as a man page."""

import argparse
import gzip
import re
from pathlib import Path


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...").replace("–", "\\(en")
    return "\\&" + text if text.startswith((".", "'")) else text


def inline(text):
    """Markdown within a line: code and bold, and links as their text."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    parts = re.split(r"(`[^`]*`|\*\*[^*]*\*\*)", text)
    made = ""
    for part in parts:
        if part.startswith("`") or part.startswith("**"):
            made += "\\fB" + escaped(part.strip("`*").replace("\\|", "|")).removeprefix("\\&") + "\\fR"
        else:
            made += escaped(part.replace("\\|", "|")).removeprefix("\\&")
    return "\\&" + made if made.startswith((".", "'")) else made


def cells(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def man_page(markdown, version):
    lines = [
        f'.TH AOTSCOPE 1 "" "aotscope {version}" "User Commands"',
        ".SH NAME",
        "aotscope \\- see what AOTAutograd makes of a PyTorch model",
        ".SH SYNOPSIS",
        ".B aotscope",
        "[\\fIOPTIONS\\fR] [\\fIMODEL\\fR]",
        ".br",
        ".B aotscope",
        "\\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...",
        ".SH DESCRIPTION",
    ]
    code = False
    rows = 0  # of the table so far; the first two are its head
    for line in markdown.splitlines():
        if line.startswith("```"):
            code = not code
            lines += [".PP", ".nf", ".RS"] if code else [".RE", ".fi"]
        elif code:
            lines.append(escaped(line))
        elif line.startswith("# "):
            continue
        elif heading := re.match(r"#+ (.*)", line):
            lines.append(f".SH {escaped(heading[1]).upper()}")
        elif line.startswith("|"):
            rows += 1
            if rows > 2:
                term, *rest = cells(line)
                lines += [".TP", inline(term), inline(" ".join(rest))]
        elif not line.strip():
            lines.append(".PP")
        else:
            lines.append(inline(line))
        if not line.startswith("|"):
            rows = 0
    lines += [
        ".SH SEE ALSO",
        "The manual, which the window shows (F1). \\fBaotscope COMMAND \\-\\-help\\fR explains",
        "every option of a command.",
    ]
    text = "\n".join(lines) + "\n"
    # A paragraph needs to be begun only once, and not before or after a heading.
    text = re.sub(r"(\.PP\n)+", ".PP\n", text)
    text = re.sub(r"(\.SH [^\n]*\n)\.PP\n", r"\1", text)
    return re.sub(r"\.PP\n(?=\.(SH|TP|PP))", "", text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("markdown", type=Path)
    parser.add_argument("version")
    parser.add_argument("folder", type=Path, help="such as /usr/share")
    options = parser.parse_args()
    file = options.folder / "man/man1/aotscope.1.gz"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(man_page(options.markdown.read_text(), options.version).encode(), mtime=0))


if __name__ == "__main__":
    main()
