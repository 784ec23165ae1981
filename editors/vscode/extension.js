// The extension of VS Code: it starts `chainlist lsp`, and shows a run in a side panel.
"use strict";
const { execFile } = require("node:child_process");
const fs = require("node:fs/promises");
const os = require("node:os");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;
const panels = new Map(); // by file: a second run of a file goes into the panel of its first

const program = () => vscode.workspace.getConfiguration("chainlist").get("command", "chainlist");

async function activate(context) {
  context.subscriptions.push(vscode.commands.registerCommand("chainlist.run", run));
  const server = { command: program(), args: ["lsp"] };
  client = new LanguageClient("chainlist", "chainlist", server, { documentSelector: [{ language: "chain" }] });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`chainlist cannot be started (${error.message}): pip install "chainlist[lsp]", or set chainlist.command`);
  }
}

function deactivate() {
  return client?.stop();
}

/** Saves the file, runs it, and shows its page. The address comes from a code lens; a menu names the open file. */
async function run(address) {
  const uri = typeof address === "string" ? vscode.Uri.parse(address) : (address ?? vscode.window.activeTextEditor?.document.uri);
  const document = uri && (await vscode.workspace.openTextDocument(uri));
  if (!document || document.languageId !== "chain") return;
  if (document.isUntitled || !(await document.save())) {
    vscode.window.showInformationMessage("A chainlist must be saved before it can be run.");
    return;
  }
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "chainlist-"));
  const words = ["run", document.fileName, "--html", "--no-plots", "-o", folder];
  const progress = { location: vscode.ProgressLocation.Notification, title: "chainlist runs", cancellable: true };
  await vscode.window.withProgress(progress, (_, stop) => started(words, stop, () => show(document.fileName, folder)));
  await fs.rm(folder, { recursive: true, force: true });
}

function started(words, stop, done) {
  return new Promise((resolve) => {
    const child = execFile(program(), words, { maxBuffer: Infinity }, async (error, _, said) => { // .print may say much
      try {
        await done();
      } catch {
        vscode.window.showErrorMessage(said.trim().split("\n")[0] || error?.message || "the run left no page");
      }
      resolve();
    });
    stop.onCancellationRequested(() => child.kill("SIGINT")); // what was computed is shown
  });
}

async function show(file, folder) {
  const html = await fs.readFile(path.join(folder, "page.html"), "utf-8");
  let panel = panels.get(file);
  if (!panel) {
    panel = vscode.window.createWebviewPanel("chainlist", path.basename(file), { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableScripts: true, localResourceRoots: [] });
    panel.onDidDispose(() => panels.delete(file));
    panels.set(file, panel);
  }
  panel.webview.html = html;
}

module.exports = { activate, deactivate };
