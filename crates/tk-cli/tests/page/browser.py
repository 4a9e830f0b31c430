"""Chromium under Debian's WebDriver, for the tests of the page of `tk explain` and for its pictures."""

import os
import pathlib
import shutil
import subprocess

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

ROOT = pathlib.Path(__file__).resolve().parents[4]

HELP = "is not installed; scripts/setup installs it (apt-get install chromium chromium-driver python3-selenium)"


def program(name):
    """The path of a program that has to be here."""
    path = shutil.which(name)
    if path is None:
        raise RuntimeError(f"{name} {HELP}")
    return path


def open_browser(width=1500, height=900):
    """A browser without a window, a profile or a network."""
    options = Options()
    options.binary_location = program("chromium")
    words = [
        "--headless=new",
        # Containers that run as root have no sandbox and little shared memory.
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--hide-scrollbars",
        # Gray edges of letters: pictures are smaller, and look alike everywhere.
        "--disable-lcd-text",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        f"--window-size={width},{height}",
    ]
    for word in words:
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(program("chromedriver")))
    browser.set_script_timeout(30)
    return browser


def open_page(browser, path):
    """Opens a page and waits until it shows its first kernel."""
    browser.get(pathlib.Path(path).resolve().as_uri())
    is_shown = "return document.documentElement.dataset.ready === 'yes'"
    WebDriverWait(browser, 30, poll_frequency=0.02).until(lambda it: it.execute_script(is_shown))


def explain(source, page, *options):
    """Writes the page about a file with the tk of $TK, in the root of the repository, so that names are those of a user."""
    tk = os.environ.get("TK", str(ROOT / "target/debug/tk"))
    command = [tk, "explain", str(source), "-o", str(page), *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
