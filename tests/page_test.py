#!/usr/bin/env python3
"""The explorer page: what is committed in web/dist is what its source makes, its types are right, and it works in a real browser with `idne serve`.

Skipped (77), saying so, where there is no Node, no npm registry or no Chromium. IDNE names the program (default build/idne).
"""
import filecmp, json, os, pathlib, re, shutil, subprocess, sys, tempfile, urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
IDNE = pathlib.Path(os.environ.get("IDNE", ROOT / "build" / "idne")).resolve()
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def run(*command, **more):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode:
        sys.exit(f"FAIL {' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def same(a, b):
    """Whether two folders hold the same files."""
    compared = filecmp.dircmp(a, b)
    if compared.left_only or compared.right_only or any(not filecmp.cmp(a / name, b / name, shallow=False) for name in compared.common_files):
        return False
    return all(same(a / name, b / name) for name in compared.common_dirs)


if not shutil.which("node") or not shutil.which("npm"):
    skip("there is no Node here")
with tempfile.TemporaryDirectory(prefix="idne-page-") as temporary:
    folder = pathlib.Path(temporary)
    web = folder / "web"
    shutil.copytree(ROOT / "web", web, ignore=shutil.ignore_patterns("node_modules", "dist"))
    installed = subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=web, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if installed.returncode:
        if re.search(r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH", installed.stdout):
            skip("npm's registry cannot be reached")
        sys.exit(f"FAIL npm ci\n{installed.stdout}")
    run("npm", "run", "check", cwd=web)
    run("npm", "test", cwd=web)
    run("npm", "run", "build", cwd=web)
    if not same(web / "dist", ROOT / "web" / "dist"):
        sys.exit("FAIL web/dist is not what web/src makes: run `npm ci && npm run build` in web")
    print("ok web/dist is what its source makes")
    if not CHROMIUM:
        skip("there is no Chromium here; the page was built, but not opened")

    run(IDNE, "generate", "-o", folder / "corpus")
    dated = [json.loads(line) for line in (folder / "corpus" / "documents.jsonl").read_text().splitlines()]
    (folder / "corpus" / "documents.jsonl").write_text("".join(json.dumps({**one, "date": f"{2001 + row % 9}-03-0{1 + row % 7}"}) + "\n" for row, one in enumerate([*dated, {**dated[0], "id": ".."}])))
    run(IDNE, "train", folder / "corpus", "-o", folder / "my.idne", "--topics", "12")
    server = subprocess.Popen([IDNE, "serve", folder / "my.idne", "--corpus", folder / "corpus", "--feedback", folder / "feedback.jsonl", "--rename", "--port", "0", "--log", "none"], stderr=subprocess.PIPE, text=True)
    try:
        address = next(found[0] for line in server.stderr if (found := re.search(r"http://[^ /]*", line)))
        described = urllib.request.urlopen(f"{address}/api/v1/openapi.json").read()
        types = subprocess.run(["node", "types.mjs"], cwd=web, input=described, stdout=subprocess.PIPE, check=True).stdout
        if types != (web / "src" / "answers.ts").read_bytes():
            sys.exit("FAIL web/src/answers.ts is not what types.mjs makes of the server's openapi.json")
        print("ok the page's types are those of the API")
        shown = run("npm", "run", "e2e", cwd=web, env={**os.environ, "IDNE_URL": address, "CHROMIUM": CHROMIUM})
        print("\n".join(re.findall(r"^# (?:tests|pass|fail|first paint).*|^ *# first paint.*", shown, re.M)))
    finally:
        server.terminate()
        if server.wait(60):
            sys.exit("FAIL the server did not end well")
