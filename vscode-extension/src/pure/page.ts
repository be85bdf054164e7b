/** The frame of every webview: nothing from elsewhere, no script but ours, colours of the editor's theme. */

export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** The text cut to what fits; the whole of it belongs into a title. */
export function fitted(text: string, length: number): string {
  const signs = [...text];
  return signs.length <= length ? text : `${signs.slice(0, length - 1).join("")}…`;
}

/** A name cut in the middle to what fits: names that begin alike are told apart by their ends. */
export function fittedName(name: string, length: number): string {
  const signs = [...name];
  const head = Math.floor((length - 1) / 2);
  return signs.length <= length
    ? name
    : `${signs.slice(0, head).join("")}…${signs.slice(signs.length - (length - 1 - head)).join("")}`;
}

export interface Page {
  readonly title: string;
  readonly body: string;
  readonly styles: string;
  /** Must be new for every page. */
  readonly nonce: string;
}

/** Whatever has `data-open` opens that URI, whatever has `data-command` runs that command: by click, Enter or Space.
 *  A message that names a URI as `current` marks what opens it, and the lines from and to it. */
const SCRIPT = `
const vscode = acquireVsCodeApi();
function act(event) {
  const target = event.target.closest("[data-open], [data-command]");
  if (!target) { return; }
  event.preventDefault();
  vscode.postMessage(target.dataset.open ? { open: target.dataset.open } : { command: target.dataset.command });
}
function mark(uri) {
  document.querySelectorAll(".current").forEach((old) => old.classList.remove("current"));
  const node = [...document.querySelectorAll("[data-open]")].find((one) => one.dataset.open === uri);
  if (!node) { return; }
  node.classList.add("current");
  document.querySelectorAll("[data-from]").forEach((line) => {
    line.classList.toggle("current", [line.dataset.from, line.dataset.to].includes(node.dataset.name));
  });
  node.scrollIntoView({ block: "nearest", inline: "nearest" });
}
window.addEventListener("message", (event) => { mark(event.data.current); });
document.addEventListener("click", act);
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" || event.key === " ") { act(event); }
});
vscode.postMessage({ ready: true });
`;

const STYLES = `
body { color: var(--vscode-foreground); font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); }
svg { display: block; font-family: var(--vscode-font-family); }
svg text { fill: var(--vscode-foreground); font-size: 13px; }
svg .soft { fill: var(--vscode-descriptionForeground, var(--vscode-foreground)); font-size: 12px; }
svg .strong { font-weight: 600; }
svg .code { font-family: var(--vscode-editor-font-family, monospace); font-size: 12px; }
button {
  color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground);
  border: 1px solid var(--vscode-button-border, transparent); border-radius: 2px; padding: 4px 10px; cursor: pointer;
}
button:hover { background: var(--vscode-button-secondaryHoverBackground); }
:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
@media (forced-colors: active) { svg rect, svg path, svg line { forced-color-adjust: auto; } }
`;

export function page(what: Page): string {
  const policy = `default-src 'none'; style-src 'nonce-${what.nonce}'; script-src 'nonce-${what.nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(what.title)}</title>
<style nonce="${what.nonce}">${STYLES}${what.styles}</style>
</head>
<body>
${what.body}
<script nonce="${what.nonce}">${SCRIPT}</script>
</body>
</html>
`;
}
