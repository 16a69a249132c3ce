// SPDX-License-Identifier: Apache-2.0
// The page of the ranking view: no script but our own bundle, which a nonce names; no style but ours; nothing from elsewhere.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

export function rankingPage(webview: vscode.Webview, extension: vscode.Uri): string {
  const nonce = randomBytes(18).toString("base64");
  const file = (...parts: string[]) => webview.asWebviewUri(vscode.Uri.joinPath(extension, ...parts)).toString();
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ranking</title>
<link rel="stylesheet" href="${file("media", "ranking.css")}">
</head>
<body>
<header>
  <h1 id="file"></h1>
  <p id="summary" role="status"></p>
  <progress id="progress" aria-label="Variants evaluated" hidden></progress>
  <p id="problem" role="alert" hidden></p>
  <div id="actions" role="toolbar" aria-label="Ranking">
    <button id="fillBest" type="button">Fill with the best</button>
  </div>
</header>
<main id="content" hidden>
  <div id="scroll">
    <table aria-describedby="shown">
      <thead><tr id="head"></tr></thead>
      <tbody id="rows"></tbody>
    </table>
  </div>
  <p><span id="shown"></span> <button id="more" type="button" class="second">Show more</button></p>
  <section id="details" aria-labelledby="title" hidden>
    <h2 id="title"></h2>
    <div role="toolbar" aria-label="Variant">
      <button id="fill" type="button">Fill with it</button>
      <button id="keep" type="button" class="second">Keep it in a new editor</button>
    </div>
    <ul id="choices" aria-label="Choices"></ul>
    <p id="worst"></p>
    <pre id="program" tabindex="0" aria-label="Program"></pre>
  </section>
  <div id="charts">
    <figure id="scores"><figcaption>Score by rank</figcaption></figure>
    <figure id="values"><figcaption>Actual against expected, of the best</figcaption></figure>
  </div>
</main>
<script nonce="${nonce}" src="${file("dist", "ranking.js")}"></script>
</body>
</html>
`;
}
