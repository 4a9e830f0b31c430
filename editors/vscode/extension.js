// Starts `tk lsp` for Python files and .tk files. It is silent outside of @triton.jit functions, so it goes beside a server for Python.

const { workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

exports.activate = function () {
  const settings = workspace.getConfiguration("tk");
  const target = settings.get("target");
  const server = {
    command: settings.get("path"),
    args: target ? ["lsp", "--target", target] : ["lsp"],
    transport: TransportKind.stdio,
  };
  client = new LanguageClient("tk", "tk", server, { documentSelector: [{ language: "python" }] });
  return client.start();
};

exports.deactivate = function () {
  return client ? client.stop() : undefined;
};
