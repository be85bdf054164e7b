"""What a person sees and does in VS Code's window: the one place that knows its markup and its keys."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

if TYPE_CHECKING:  # plain pytest collects these tests without the package
    from playwright.sync_api import Frame, Locator, Page

SECONDS = 60.0
"""How long something may take to appear before a test gives up; no test waits for it to pass."""

Result = TypeVar("Result")
_SQUIGGLES = Path(__file__).with_name("squiggles.js").read_text(encoding="utf-8").partition("\n")[2].strip()
_EDITOR = ".editor-group-container.active .monaco-editor"
_DIALOG = ".monaco-dialog-box"
_ROWS = Path(__file__).with_name("text.js").read_text(encoding="utf-8").partition("\n")[2].strip()
_TEXT = f"({_ROWS})('{_EDITOR} .view-lines').join('\\n')"
_OUTPUT = f"({_ROWS})('.part.panel .output-view').join('')"
"""The output panel wraps its lines, at any place of a long path."""

_DONE = """() => [...document.querySelectorAll('button.getting-started-step[aria-checked=true]')]
    .map(step => step.dataset.stepId.split('#').pop())"""

AGAIN_SECONDS = 6.0
"""After how long a person would press a key again."""


@dataclass(frozen=True, slots=True)
class Squiggle:
    """A wavy line: ``error``, ``warning``, ``info`` or ``hint``; its line number; the text above it."""

    severity: str
    line: int
    text: str


class Workbench:
    """One window of VS Code."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        page.set_default_timeout(SECONDS * 1000)

    def ready(self) -> None:
        """Wait until the window is drawn."""
        self.page.wait_for_selector(".monaco-workbench .statusbar")

    def open(self, file: Path, line: int = 1, column: int = 1) -> None:
        """Open a file, or show it again, with the cursor at a place (both 1-based)."""

        def choose() -> None:
            # What was open lately is listed first: a file of the same name, until what is typed has been looked for.
            self.press("Control+P")
            self._ask(f"{file}:{line}:{column}", row=file.name)

        self._insist(choose, self._editor(file))

    def await_open(self, file: Path) -> None:
        """Wait until a file's text is in the editor that has the keyboard."""
        self._editor(file).first.wait_for()

    def await_file(self, name: str) -> None:
        """Wait until the explorer lists a file."""
        self.page.locator(".explorer-folders-view .monaco-list-row", has_text=name).wait_for()

    def close(self) -> None:
        """Close the menus and every editor; what is not saved is lost."""
        self.press("Escape")
        self.press("Control+K")
        self.press("Control+W")
        self.page.wait_for_function(f"() => !document.querySelector('.tab') || document.querySelector('{_DIALOG}')")
        if self.page.locator(_DIALOG).count():
            self.page.get_by_role("button", name="Don't Save").click()
        self.page.locator(".tab").first.wait_for(state="detached")

    def press(self, keys: str) -> None:
        """Press one combination of keys."""
        self.page.keyboard.press(keys)

    def type(self, text: str) -> None:
        """Type as a person does, key by key."""
        self.page.keyboard.type(text)

    def type_in_terminal(self, line: str) -> None:
        """Type a line into the terminal that was used last."""
        has_keyboard = self.page.locator(".part.panel .xterm.focus")
        self._insist(lambda: self.run("Terminal: Focus Terminal"), has_keyboard)
        self.type(line)
        self.press("Enter")

    def resize(self, width: int, height: int) -> None:
        """Give the window another size, in pixels."""
        self.page.set_viewport_size({"width": width, "height": height})

    def run(self, title: str) -> None:
        """Choose a command of the palette by its whole title."""
        self.press("F1")
        self._ask(f">{title}", row=title)

    def text(self) -> str:
        """What the editor shows: the whole of a short file."""
        shown: str = self.page.evaluate(_TEXT)
        return shown

    def await_text(self, text: str) -> None:
        """Wait until the editor shows exactly this."""
        self._until(f"{_TEXT} === wanted", text.rstrip("\n") + "\n", self.text)

    def squiggles(self) -> list[Squiggle]:
        """The wavy lines of the editor, in reading order."""
        return [Squiggle(*found) for found in self.page.evaluate(_SQUIGGLES)]

    def await_squiggles(self, *wanted: Squiggle) -> None:
        """Wait until the editor shows exactly these wavy lines."""
        listed = [[one.severity, one.line, one.text] for one in wanted]
        condition = f"JSON.stringify(({_SQUIGGLES})()) === JSON.stringify(wanted)"
        self._until(condition, listed, self.squiggles)

    def await_marked(self, line: int) -> None:
        """Wait until some of a line (1-based) has a wavy line."""
        condition = f"({_SQUIGGLES})().some(([severity, line, text]) => line === wanted)"
        self._until(condition, line, self.squiggles)

    def hover(self) -> str:
        """What the hover at the cursor says."""
        shown = self.page.locator(".monaco-hover:not(.hidden) .monaco-hover-content")
        self._insist(lambda: [self.press("Control+K"), self.press("Control+I")], shown.filter(has_not_text="Loading"))
        return re.sub(r"\s+", " ", shown.first.inner_text())

    def offered(self) -> list[str]:
        """The titles in the menu of quick fixes at the cursor, which stays open."""
        self._insist(lambda: self.press("Control+."), self._fixes())
        return [title.strip() for title in self._fixes().all_inner_texts()]

    def choose(self, title: str) -> None:
        """Apply what the open menu of quick fixes calls so."""
        self._fixes().filter(has_text=title).first.click()
        self._fixes().first.wait_for(state="hidden")

    def completions(self) -> list[str]:
        """The words that the list at the cursor suggests first; the list stays open."""
        rows = self.page.locator(".suggest-widget.visible .monaco-list-row .label-name")
        self._insist(lambda: self.press("Control+Space"), rows)
        return [row.strip() for row in rows.all_inner_texts()]

    def accept_completion(self, word: str) -> None:
        """Take a word of the open list."""
        self.page.locator(".suggest-widget.visible .monaco-list-row", has_text=word).first.click()

    def rename(self, name: str) -> None:
        """Give what is under the cursor another name."""
        field = self.page.locator(".rename-box input.rename-input")
        self._insist(lambda: self.press("F2"), field)
        field.fill(name)
        self.press("Enter")
        field.wait_for(state="hidden")

    def rename_file(self, old: str, new: str) -> None:
        """Give the file of the editor, which the explorer has selected, another name there."""
        self.page.locator(".explorer-folders-view .monaco-list-row.selected", has_text=old).click()
        field = self.page.locator(".explorer-folders-view .explorer-item-edited input")
        self._insist(lambda: self.press("F2"), field)
        field.fill(new)
        self.press("Enter")
        field.wait_for(state="detached")

    def agree(self, question: str) -> None:
        """Say OK to a question that stands over the window."""
        asked = self.page.locator(_DIALOG, has_text=question)
        asked.get_by_role("button", name="OK").click()
        asked.wait_for(state="detached")

    def await_lens(self, text: str) -> None:
        """Wait until small print between the editor's lines says exactly this."""
        lens = self.page.locator(f"{_EDITOR} .codelens-decoration")
        lens.filter(has_text=re.compile(r"^\s*" + r"\s*".join(map(re.escape, text.split())) + r"\s*$")).wait_for()

    def await_shown(self, text: str) -> None:
        """Wait until the editor that has the keyboard shows a text somewhere."""
        self._until(f"{_TEXT}.includes(wanted)", text, self.text)

    def await_document(self, scheme: str, *texts: str) -> None:
        """Wait until an editor of a document that is no file shows texts."""
        shown = self.page.locator(f".monaco-editor[data-uri^='{scheme}:'] .view-lines")
        for text in texts:
            shown.filter(has_text=text).wait_for()

    def await_output(self, *texts: str) -> None:
        """Wait until the Output panel shows these, one after the other."""
        condition = f"((text, at) => wanted.every(one => (at = text.indexOf(one, at) + 1) > 0))({_OUTPUT}, 0)"
        self._until(condition, list(texts), lambda: self.page.evaluate(_OUTPUT))

    def undo(self) -> None:
        """Take back the last change of the editor."""
        self.press("Control+Z")

    def save(self) -> None:
        """Save the file of the editor."""
        self.press("Control+S")

    def await_changed(self, file: Path) -> None:
        """Wait until a file's editor has changes that are not saved."""
        self.page.locator(f".tab.dirty[data-resource-name='{file.name}']").wait_for()

    def await_saved(self, file: Path) -> None:
        """Wait until a file's editor has no changes that are not saved."""
        self.page.locator(f".tab:not(.dirty)[data-resource-name='{file.name}']").wait_for()

    def await_problem(self, *parts: str) -> None:
        """Wait until a row of the Problems panel holds all of these."""
        self._problem(*parts).first.wait_for()

    def await_no_problem(self, *parts: str) -> None:
        """Wait until no row of the Problems panel holds all of these."""
        self._problem(*parts).first.wait_for(state="detached")

    def problems(self) -> list[str]:
        """The rows of the Problems panel, each on one line."""
        rows = self.page.locator(".markers-panel .monaco-list-row")
        return [re.sub(r"\s+", " ", row).strip() for row in rows.all_inner_texts()]

    def show_problems(self) -> None:
        """Show the Problems panel, which is hidden."""
        self._insist(lambda: self.press("Control+Shift+M"), self.page.locator(".markers-panel"))

    def hide_problems(self) -> None:
        """Hide the Problems panel, which is shown."""
        self.press("Control+Shift+M")

    def notification(self, text: str) -> "Locator":
        """The notifications that hold a text."""
        return self.page.locator(".notification-list-item", has_text=text)

    def buttons(self, notification: str) -> list[str]:
        """The buttons of the notification that holds a text."""
        shown = self.notification(notification).locator(".notification-list-item-buttons-container .monaco-button")
        shown.first.wait_for()
        return [button.strip() for button in shown.all_inner_texts()]

    def press_button(self, notification: str, button: str) -> None:
        """Press a button of the notification that holds a text."""
        self.notification(notification).get_by_role("button", name=button, exact=True).click()

    def pick(self, row: str) -> None:
        """Take the row of the open quick pick that holds a text."""
        shown = self.page.locator(".quick-input-list .monaco-list-row", has_text=row)
        shown.first.click()

    def enter(self, text: str) -> None:
        """Answer the open question for a text."""
        self._input().fill(text)
        self.press("Enter")

    def open_walkthrough(self, title: str) -> None:
        """Show a walkthrough from its beginning."""
        self.run("Welcome: Open Walkthrough...")
        self.pick(title)
        self.page.locator("button.getting-started-step").first.wait_for()

    def press_in_step(self, step: str, button: str) -> None:
        """Go to a step of the walkthrough, which may be covered by another editor, and press one of its buttons."""
        covered = self.page.locator(".tab:not(.active)", has_text="Welcome")
        if covered.count():  # a click on its tab would else leave the walkthrough
            covered.click()
        shown = self.page.locator(_step(step))
        shown.locator(".step-title").click()
        shown.get_by_role("button", name=button, exact=True).click()

    def done(self) -> list[str]:
        """The steps of the walkthrough that are ticked, in order."""
        ticked: list[str] = self.page.evaluate(_DONE)
        return ticked

    def await_done(self, *steps: str) -> None:
        """Wait until these steps of the walkthrough are ticked."""
        self._until(f"(done => wanted.every(step => done.includes(step)))(({_DONE})())", list(steps), self.done)

    def turn(self, theme: Literal["dark", "light"]) -> None:
        """Have the window drawn in the theme for dark or light rooms."""
        self.page.emulate_media(color_scheme=theme)
        self.page.wait_for_selector({"light": ".monaco-workbench.vs", "dark": ".monaco-workbench.vs-dark"}[theme])
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def await_in_webview(self, text: str) -> "Frame":
        """Wait until a drawn page within the window holds a text, and give that page."""
        return self.await_that(f"a page within the window that holds {text!r}", lambda: self._webview(text))

    def await_that(self, what: str, found: Callable[[], Result | None]) -> Result:
        """Wait until there is something that is no part of the window, or cannot be waited for otherwise."""
        end = time.monotonic() + SECONDS
        while not (result := found()):
            assert time.monotonic() < end, f"waited in vain for {what}"
            self.page.wait_for_timeout(50)
        return result

    def _webview(self, text: str) -> "Frame | None":
        from playwright.sync_api import Error

        for frame in self.page.frames[1:]:
            try:
                if text in frame.evaluate("document.body.innerText"):
                    return frame
            except Error:  # it is being loaded
                continue
        return None

    def _problem(self, *parts: str) -> "Locator":
        row = self.page.locator(".markers-panel .monaco-list-row")
        for part in parts:
            row = row.filter(has_text=part)
        return row

    def _fixes(self) -> "Locator":
        return self.page.locator(".action-widget .monaco-list-row.action")

    def _input(self) -> "Locator":
        return self.page.locator(".quick-input-widget input[type=text]").first

    def _ask(self, text: str, row: str) -> None:
        self._input().wait_for()
        self._input().fill(text)
        first = self.page.locator(".quick-input-list .monaco-list-row", has_text=row).first
        first.wait_for()
        first.click()

    def _editor(self, file: Path) -> "Locator":
        return self.page.locator(f"{_EDITOR}[data-uri$='{file}'] .view-line")

    def _insist(self, act: Callable[[], object], shown: "Locator") -> None:
        """Do something, and again if it has shown nothing for a while: a key may come too early."""
        from playwright.sync_api import TimeoutError as TooLong

        end = time.monotonic() + SECONDS
        while True:
            act()
            try:
                shown.first.wait_for(timeout=AGAIN_SECONDS * 1000)
            except TooLong:
                if time.monotonic() > end:
                    raise
                self.press("Escape")
            else:
                return

    def _until(self, condition: str, wanted: Any, shown: Any) -> None:
        from playwright.sync_api import TimeoutError as TooLong

        try:
            self.page.wait_for_function(f"wanted => {condition}", arg=wanted)
        except TooLong:
            raise AssertionError(f"wanted {wanted!r}, shown is {shown()!r}") from None


def _step(name: str) -> str:
    return f"button.getting-started-step[data-step-id$='#{name}']"
