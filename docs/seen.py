"""`python docs/seen.py CODE…`: the Chinese pages of these codes say what the English ones say now. Run it behind a look
at both: a test holds every Chinese page to the English text that it was made of."""

from __future__ import annotations

import re
import sys

from skillc.checks.page import load_page, parse_page
from skillc.checks.translation import digest_of, translation_path
from skillc.diagnostic import find_code


def main(names: list[str]) -> None:
    for name in names:
        code = find_code(name)
        text = code and load_page(code)
        if code is None or text is None:
            raise SystemExit(f"no page: {name}")
        path = translation_path(code)
        with open(path, encoding="utf-8") as file:
            chinese = file.read()
        marked = re.sub(
            r"<!-- of [0-9a-f]* -->", f"<!-- of {digest_of(parse_page(text))} -->", chinese, count=1
        )
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(marked)


if __name__ == "__main__":
    main(sys.argv[1:])
