#!/usr/bin/env python3
"""The explorer page in Firefox: every view shows what it should, by its own remote control (Marionette), without a driver.

Skipped (77), saying so, where there is no Firefox. IDNE names the program (default build/idne), FIREFOX the browser.
"""
import json, os, pathlib, re, shutil, socket, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
IDNE = pathlib.Path(os.environ.get("IDNE", ROOT / "build" / "idne")).resolve()
FIREFOX = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
if not FIREFOX:
    print("skipped: there is no Firefox here")
    sys.exit(77)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Firefox:
    """A browser and what it is told: JSON with its length before it, over a socket."""

    def __init__(self, folder):
        port = free_port()
        (folder / "profile").mkdir()
        (folder / "profile" / "user.js").write_text(f'user_pref("marionette.port", {port});\nuser_pref("browser.shell.checkDefaultBrowser", false);\nuser_pref("datareporting.policy.dataSubmissionEnabled", false);\n'
                                                     'user_pref("app.update.enabled", false);\nuser_pref("network.captive-portal-service.enabled", false);\nuser_pref("browser.startup.page", 0);\nuser_pref("webgl.force-enabled", true);\n')
        self.process = subprocess.Popen([FIREFOX, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", folder / "profile", "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env={**os.environ, "HOME": str(folder), "MOZ_HEADLESS_WIDTH": "1280", "MOZ_HEADLESS_HEIGHT": "900"})
        self.number, self.bytes, end = 0, b"", time.monotonic() + 60
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), 60)
                break
            except OSError:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise
                time.sleep(0.1)
        self.receive()
        self.tell("WebDriver:NewSession", capabilities={})

    def receive(self):
        while not (found := re.match(rb"(\d+):", self.bytes)) or len(self.bytes) < found.end() + int(found[1]):
            piece = self.socket.recv(65536)
            if not piece:
                raise ConnectionError("Firefox has ended")
            self.bytes += piece
        end = found.end() + int(found[1])
        message, self.bytes = json.loads(self.bytes[found.end():end]), self.bytes[end:]
        return message

    def tell(self, command, **arguments):
        self.number += 1
        message = json.dumps([0, self.number, command, arguments]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self.receive()
        if error:
            raise AssertionError(f"{command}: {error['error']}: {error['message']}")
        return result.get("value") if isinstance(result, dict) else result

    def run(self, script):
        return self.tell("WebDriver:ExecuteScript", script=script, args=[])

    def wait_for(self, script, what):
        end = time.monotonic() + 30
        while not (found := self.run(f"return {script}")):
            if time.monotonic() > end:
                sys.exit(f"FAIL in Firefox this never came: {what}\n{self.run('return document.body.innerText')[:2000]}")
            time.sleep(0.05)
        return found

    def close(self):
        self.process.terminate()
        self.process.wait(30)


def main(folder):
    for command in (["generate", "--documents", "300", "-o", folder / "corpus"], ["train", folder / "corpus", "-o", folder / "my.idne", "--topics", "6", "--dim", "32", "--steps", "200"]):
        subprocess.run([IDNE, *command], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    server = subprocess.Popen([IDNE, "serve", folder / "my.idne", "--corpus", folder / "corpus", "--port", "0", "--log", "none"], stderr=subprocess.PIPE, text=True)
    address = next(found[0] for line in server.stderr if (found := re.search(r"http://[^ /]*", line)))
    browser = Firefox(folder)
    try:
        def opened(view, script, what):
            browser.tell("WebDriver:Navigate", url="about:blank")
            browser.tell("WebDriver:Navigate", url=f"{address}/{view}")
            browser.run("window.complaints = []; addEventListener('error', e => complaints.push(e.message)); addEventListener('unhandledrejection', e => complaints.push(String(e.reason)))")
            browser.wait_for(script, what)
            for said in browser.run("return window.complaints"):
                sys.exit(f"FAIL {view}: {said}")
            print(f"ok {what}")
        shown = "document.querySelectorAll('{}').length > 0".format
        opened("#/write?text=a%20planet%20and%20a%20star%20in%20an%20orchestra", shown(".results .links > li"), "a text has documents to link to")
        if browser.run("return 'highlights' in CSS"):
            browser.wait_for("[...CSS.highlights].some(([name, all]) => name !== 'here' && all.size > 0)", "marks in the text")
        opened("#/write", shown(".example"), "examples are offered")
        browser.run("document.querySelector('#text').focus()")
        browser.run("document.execCommand('insertText', false, 'the melody of a star')")
        browser.wait_for(shown(".results .links > li"), "what is typed is answered")
        opened("#/map", shown(".in-view tbody tr"), "the map lists what is in view")
        opened("#/topics", shown(".card"), "topics have cards")
        opened("#/topic/1", shown(".words li"), "a topic has words")
        opened("#/document/7", shown("article.document .text mark"), "a document's words are marked")
        browser.run("document.querySelector('.why').click()")
        browser.wait_for(shown(".reason .pair"), "reasons")
        opened("#/compare?a=7&b=9", shown(".shared .reason"), "two are compared")
        browser.tell("WebDriver:SetWindowRect", width=450, height=800)
        for view in ("write", "map", "topics", "topic/1", "document/7", "compare?a=7&b=9"):
            opened(f"#/{view}", "document.querySelector('main h1') && document.documentElement.scrollWidth <= innerWidth", f"{view} is not wider than a narrow window")
    finally:
        browser.close()
        server.terminate()
        server.communicate()


with tempfile.TemporaryDirectory(prefix="idne-firefox-", ignore_cleanup_errors=True) as temporary:
    main(pathlib.Path(temporary))
