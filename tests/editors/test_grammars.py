"""Grammars of editors: written from the registries, and of one opinion on every listing."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from pygments.token import Error

from chainlist.examples import gallery
from chainlist.language.grammar import files
from chainlist.language.lexer import ChainLexer
from chainlist.language.vocabulary import vocabulary
from tests.editors.colours import BY_TEXTMATE, by_pygments, by_textmate, by_vim, seen

ROOT = Path(__file__).resolve().parents[2]
EDITORS = ROOT / "editors"
EVERY_WORD = (
    "* All words\n"
    + "".join(f"{word.name} 1\n" for word in vocabulary().commands)
    + (
        ".options " + " ".join(f"{option.name}=1" for option in vocabulary().options) + "\n"
        ".plot " + " ".join(item.usage for item in vocabulary().observables) + "\n"
        "F1 B1 {" + "+".join(f"{function.name}(1)" for function in vocabulary().functions) + "}\n"
        '* +1 no continuation\n*+ B1 ; yes\n+ "two words" 1E-3m .5 X1.B2 a<b and b>=c\n...\n…\nnothing\n'
    )
)
TEXTS = {found.name: found.text for found in gallery()} | {"every word": EVERY_WORD}


@pytest.mark.parametrize("name", files())
def test_what_is_written_for_editors_is_what_the_registries_say(name):
    """Written again by `python -m chainlist.language.grammar editors`."""
    assert (EDITORS / name).read_text(encoding="utf-8") == files()[name]


@pytest.mark.parametrize("name", TEXTS)
def test_textmate_and_pygments_colour_a_listing_alike(name):
    text = TEXTS[name]
    assert by_textmate(text) == by_pygments(text)


@pytest.mark.parametrize("name", TEXTS)
def test_the_lexer_loses_nothing(name):
    tokens = list(ChainLexer().get_tokens_unprocessed(TEXTS[name]))
    assert "".join(part for _, _, part in tokens) == TEXTS[name]
    assert not [part for _, kind, part in tokens if kind is Error]


def test_every_word_of_the_language_is_coloured_as_what_it_is():
    lines = dict(zip(EVERY_WORD.splitlines(), by_pygments(EVERY_WORD).splitlines(), strict=True))
    for word in vocabulary().commands:
        line = next(text for text in lines if text.startswith(f"{word.name} "))
        assert set(lines[line][: len(word.name)]) == {BY_TEXTMATE["keyword.control.chain"]}
    (plot,) = (text for text in lines if text.startswith(".plot ") and "(" in text)
    for item in vocabulary().observables:
        at = f" {plot} ".index(f" {item.usage} ")
        assert lines[plot][at] == BY_TEXTMATE["support.variable.chain"], item.name


@pytest.mark.skipif(shutil.which("vim") is None, reason="there is no Vim here")
def test_vim_colours_listings_alike(tmp_path):
    paths = {}
    for number, (name, text) in enumerate(TEXTS.items()):
        path = tmp_path / f"{number}.chain"
        path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
        paths[path] = name
    told = by_vim(list(paths), EDITORS / "vim" / "syntax" / "chain.vim", tmp_path)
    different = {name: 0 for path, name in paths.items() if told[path] != by_pygments(TEXTS[name].rstrip("\n"))}
    assert not different


def test_the_extension_has_the_version_and_the_files_of_the_program():
    told = json.loads((EDITORS / "vscode" / "package.json").read_text(encoding="utf-8"))
    import chainlist

    assert told["version"] == chainlist.__version__
    for grammar in told["contributes"]["grammars"]:
        assert (EDITORS / "vscode" / grammar["path"]).is_file()
    assert (EDITORS / "vscode" / told["main"]).is_file()
    assert (EDITORS / "vscode" / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


_NODE = """
const fs = require("fs"), vsctm = require("vscode-textmate"), oniguruma = require("vscode-oniguruma");
const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer;
const onigLib = oniguruma.loadWASM(wasm).then(() => ({
  createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
  createOnigString: (text) => new oniguruma.OnigString(text),
}));
const [grammarFile, textsFile] = process.argv.slice(2);
const raw = fs.readFileSync(grammarFile, "utf-8");
const registry = new vsctm.Registry({ onigLib, loadGrammar: async () => vsctm.parseRawGrammar(raw, grammarFile) });
registry.loadGrammar("source.chain").then((grammar) => {
  const out = {};
  for (const [name, text] of Object.entries(JSON.parse(fs.readFileSync(textsFile, "utf-8")))) {
    let state = vsctm.INITIAL;
    out[name] = text.split("\\n").map((line) => {
      const found = grammar.tokenizeLine(line, state);
      state = found.ruleStack;
      return found.tokens.map((t) => [t.startIndex, t.endIndex, t.scopes.at(-1)]);
    });
  }
  process.stdout.write(JSON.stringify(out));
});
"""


@pytest.mark.long
@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm here")
def test_the_extension_builds_and_vs_code_reads_its_grammar_as_we_do(tmp_path):
    """With the very library that VS Code colours with."""
    place = tmp_path / "vscode"
    shutil.copytree(EDITORS / "vscode", place, ignore=shutil.ignore_patterns("node_modules"))
    install = ["npm", "install", "--no-audit", "--no-fund", "--silent"]
    subprocess.run(install, cwd=place, check=True, timeout=600)
    subprocess.run(["npx", "--no-install", "vsce", "package", "--out", "a.vsix"], cwd=place, check=True, timeout=300)
    assert (place / "a.vsix").stat().st_size > 100_000
    subprocess.run([*install, "--no-save", "vscode-textmate", "vscode-oniguruma"], cwd=place, check=True, timeout=600)
    (place / "colour.js").write_text(_NODE, encoding="utf-8")
    (place / "texts.json").write_text(json.dumps(TEXTS), encoding="utf-8")
    command = ["node", "colour.js", "syntaxes/chain.tmLanguage.json", "texts.json"]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=True, timeout=300)
    for name, lines in json.loads(done.stdout).items():
        out = []
        for line, tokens in zip(TEXTS[name].split("\n"), lines, strict=True):
            classes = ["."] * len(line)
            for start, stop, scope in tokens:
                stop = min(stop, len(line))
                classes[start:stop] = BY_TEXTMATE.get(scope, ".") * (stop - start)
            out.append("".join(classes))
        assert seen(TEXTS[name], "\n".join(out)) == by_pygments(TEXTS[name]), name
