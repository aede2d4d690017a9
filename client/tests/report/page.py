"""Opens a page in Chromium: checks that nothing is cut off or overlaps on a phone and on a desk, in
light and dark colours, and sorts the table of records with the keyboard.

Usage: page.py PAGE. Needs playwright (from PyPI) and Chromium; without them it says so and succeeds.
"""

import pathlib
import shutil
import sys

LAYOUT = """() => {
  const faults = [];
  const width = document.documentElement.clientWidth;
  for (const each of document.querySelectorAll("body *")) {
    const box = each.getBoundingClientRect();
    if (box.width && box.right > width + 1 && !each.closest(".records .scroll")) {
      faults.push(`beyond the screen: ${each.tagName} ${each.textContent.slice(0, 40)}`);
    }
  }
  for (const scroll of document.querySelectorAll(".scroll:not(.records *)")) {
    if (scroll.scrollWidth > scroll.clientWidth + 1) {
      faults.push(`wider than the screen: ${scroll.ariaLabel}`);
    }
  }
  for (const chart of document.querySelectorAll("svg.chart")) {
    const frame = chart.getBoundingClientRect();
    const texts = [...chart.querySelectorAll("text")];
    const boxes = texts.map((text) => text.getBoundingClientRect());
    boxes.forEach((box, i) => {
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1) {
        faults.push(`cut off: ${texts[i].textContent}`);
      }
      boxes.slice(0, i).forEach((other, j) => {
        if (box.left < other.right && other.left < box.right &&
            box.top < other.bottom && other.top < box.bottom) {
          faults.push(`overlap: ${texts[i].textContent} and ${texts[j].textContent}`);
        }
      });
    });
  }
  return faults;
}"""


def sort_by_keyboard(page):
    """Sorts by the id: ascending with Enter, descending with Space."""
    heading = page.locator("table.sorts th").first
    ids = page.locator("table.sorts tbody td:first-child")
    heading.locator("button").focus()
    for key, order in [("Enter", "ascending"), ("Space", "descending")]:
        page.keyboard.press(key)
        assert heading.get_attribute("aria-sort") == order, (key, order)
        found = ids.all_inner_texts()
        expected = sorted(found, key=str.lower, reverse=order == "descending")
        assert found == expected and len(found) > 1, found
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") is None
    second = page.locator("table.sorts th").nth(1)
    assert second.get_attribute("aria-sort") == "ascending"


def main():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("not tested: no playwright")
        return
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        print("not tested: no Chromium")
        return
    url = pathlib.Path(sys.argv[1]).resolve().as_uri()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for width in [360, 1280]:
            for scheme in ["light", "dark"]:
                page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
                errors = []
                page.on("pageerror", lambda error: errors.append(str(error)))
                page.goto(url)
                faults = page.evaluate(LAYOUT)
                assert faults == [] and errors == [], (width, scheme, faults, errors)
                sort_by_keyboard(page)
        browser.close()
    print("tested")


main()
