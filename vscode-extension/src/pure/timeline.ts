/** Draws what one new event patches. What is patched was decided by the server; here it only gets its place. */

import { escaped, fitted } from "./page";

export type Role = "predecessor" | "event" | "successor" | "tombstone";

export interface TimelineNode {
  readonly role: Role;
  readonly slot: number;
  readonly change: "patched" | "inserted" | "kept" | "stored";
  readonly columns: readonly string[];
  readonly label: string;
  readonly note: string;
}

export interface TimelineEdge {
  readonly source: Role;
  readonly to: Role;
  readonly label: string;
  readonly columns: readonly string[];
}

export interface Timeline {
  readonly model: string;
  readonly key: readonly string[];
  readonly clock: string;
  readonly text: string;
  readonly nodes: readonly TimelineNode[];
  readonly edges: readonly TimelineEdge[];
}

export const TIMELINE_STYLES = `
.row { stroke-width: 1.5; fill: var(--vscode-editor-background); stroke: var(--vscode-descriptionForeground, #888); }
.patched { stroke: var(--vscode-charts-yellow, #bf8700); stroke-width: 2; }
.inserted { stroke: var(--vscode-charts-green, #1a7f37); stroke-width: 2; }
.stored { stroke: var(--vscode-charts-red, #cf222e); stroke-width: 2; fill: none; stroke-dasharray: 5 3; }
.kept { stroke-dasharray: 2 3; }
.axis { stroke: var(--vscode-descriptionForeground, #888); stroke-width: 1; }
.edge { fill: none; stroke: var(--vscode-charts-green, #1a7f37); stroke-width: 1.5; }
.edge.to-tombstone { stroke: var(--vscode-charts-red, #cf222e); stroke-dasharray: 5 3; }
.event-point, .tip-patch { fill: var(--vscode-charts-green, #1a7f37); }
.tip-delete { fill: var(--vscode-charts-red, #cf222e); }
h2 small { font-weight: normal; font-size: 0.9em; margin-left: 0.8em; }
.words { max-width: 90em; line-height: 1.4; }
.picture { overflow-x: auto; }
/* As large as leaves three lines of words in sight, but never too small to be read. */
.picture svg { min-width: 460px; max-width: 100%; max-height: max(120px, calc(100vh - 7em)); width: auto; height: auto; }
header { display: flex; align-items: baseline; justify-content: space-between; max-width: 90em; }
h2 { font-size: 1.1em; margin: 0.1em 0 0.3em; }
p { margin: 0.3em 0; }
`;

const WIDTH = 250;
const GAP = 24;
const LEFT = 6;
const ROW = { top: 44, height: 46 };
const AXIS = 106;
const LEDGER = { top: 130, height: 46 };
/** Where the control points of an arrow over the rows lie, and what is written at it. */
const ARC = { bend: 4, label: 10 };

/** The body of the view: heading, picture, and the same in words for everybody who reads rather than looks. */
export function timelineBody(found: Timeline | undefined, nothing: string): string {
  if (found === undefined) {
    return `<p class="words">${escaped(nothing)}</p>`;
  }
  const key = found.key.length > 0 ? ` <small>one ${escaped(found.key.join(", "))}</small>` : "";
  const heading = `<h2>${escaped(found.model)}${key}</h2>`;
  const explain = `<button type="button" data-command="smelt.explainModel">Explain model</button>`;
  const words = `<p class="words" id="words">${escaped(found.text)}</p>`;
  if (found.nodes.length === 0) {
    return heading + words;
  }
  return `<header>${heading}${explain}</header><div class="picture">${picture(found)}</div>${words}`;
}

function picture(found: Timeline): string {
  const hasLedger = found.nodes.some((node) => node.role === "tombstone");
  const width = LEFT * 2 + WIDTH * 3 + GAP * 2;
  const height = hasLedger ? LEDGER.top + LEDGER.height + 6 : AXIS + 22;
  return [
    `<svg role="img" aria-labelledby="words" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<defs>${tip("patch")}${tip("delete")}</defs>`,
    `<line class="axis" x1="${LEFT}" x2="${width - LEFT}" y1="${AXIS}" y2="${AXIS}"/>`,
    `<text class="soft" x="${width - LEFT}" y="${AXIS + 16}" text-anchor="end">${escaped(found.clock)} →</text>`,
    ...found.nodes.map(node),
    ...found.edges.map((edge) => arrow(edge, found)),
    `</svg>`,
  ].join("\n");
}

function tip(kind: "patch" | "delete"): string {
  const frame = `viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"`;
  return `<marker id="${kind}" ${frame}><path class="tip-${kind}" d="M0 0 L8 4 L0 8 z"/></marker>`;
}

function left(slot: number): number {
  return LEFT + slot * (WIDTH + GAP);
}

function node(one: TimelineNode): string {
  const { top, height } = one.role === "tombstone" ? LEDGER : ROW;
  const x = left(one.slot);
  const point =
    one.role === "tombstone"
      ? ""
      : `<circle class="event-point" cx="${x}" cy="${AXIS}" r="${one.role === "event" ? 5 : 3}"/>`;
  return [
    `<g data-role="${one.role}" data-change="${one.change}">`,
    `<title>${escaped(`${one.label}: ${one.note}`)}</title>`,
    `<rect class="row ${one.change}" x="${x}" y="${top}" width="${WIDTH}" height="${height}" rx="4"/>`,
    `<text class="strong" x="${x + 12}" y="${top + 19}">${escaped(fitted(one.label, 28))}</text>`,
    `<text class="soft" x="${x + 12}" y="${top + 36}">${escaped(fitted(one.note, 38))}</text>`,
    point,
    `</g>`,
  ].join("");
}

function arrow(edge: TimelineEdge, found: Timeline): string {
  const to = found.nodes.find((one) => one.role === edge.to);
  const from = found.nodes.find((one) => one.role === edge.source);
  if (to === undefined || from === undefined) {
    return "";
  }
  const kind = `edge to-${edge.to}`;
  const middle = left(from.slot) + WIDTH / 2;
  if (edge.to === "tombstone") {
    const down = `M${middle} ${ROW.top + ROW.height} V${LEDGER.top - 2}`;
    return (
      `<path class="${kind}" d="${down}" marker-end="url(#delete)"/>` +
      `<text class="soft code" x="${middle + 10}" y="${LEDGER.top - 9}">${escaped(fitted(edge.label, 24))}</text>`
    );
  }
  const end = left(to.slot) + WIDTH / 2;
  const curve = `M${middle} ${ROW.top} C${middle} ${ARC.bend} ${end} ${ARC.bend} ${end} ${ROW.top - 3}`;
  const x = (middle + end) / 2;
  return (
    `<path class="${kind}" d="${curve}" marker-end="url(#patch)"/>` +
    `<text class="code" x="${x}" y="${ARC.label}" text-anchor="middle">${escaped(fitted(edge.label, 24))}</text>`
  );
}
