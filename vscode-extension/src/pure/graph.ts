/** Draws a project's graph: every relation in the layer and place that the server gave it. */

import { escaped, fittedName } from "./page";

export interface GraphNode {
  readonly name: string;
  readonly kind: "source" | "seed" | "succession" | "table" | "view" | "refused";
  readonly detail: string;
  readonly uri: string;
  readonly layer: number;
  readonly place: number;
}

export interface GraphEdge {
  readonly source: string;
  readonly to: string;
}

export interface Graph {
  readonly project: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

const DETAIL_HEIGHT = 16;

export const GRAPH_STYLES = `
.box { fill: var(--vscode-editorWidget-background, transparent); stroke: var(--vscode-descriptionForeground, #888); }
.box.succession { stroke: var(--vscode-charts-green, #1a7f37); stroke-width: 2; }
.box.refused { stroke: var(--vscode-charts-red, #cf222e); stroke-width: 2; stroke-dasharray: 5 3; }
.box.source, .box.seed { stroke: var(--vscode-charts-blue, #0969da); }
.line { fill: none; stroke: var(--vscode-descriptionForeground, #888); stroke-width: 1.2; }
.node { cursor: pointer; }
.node.current .box { stroke-width: 3; fill: var(--vscode-list-inactiveSelectionBackground, transparent); }
.line.current { stroke: var(--vscode-focusBorder, #0969da); stroke-width: 2; }
.node:hover .box, .node:focus-visible .box { fill: var(--vscode-list-hoverBackground, transparent); }
.graph { overflow-x: auto; }
.fit { min-width: min-content; }
.fit .whole { max-width: 100%; height: auto; }
.graph::-webkit-scrollbar { height: 10px; }
.graph::-webkit-scrollbar-thumb { background: var(--vscode-scrollbarSlider-background, #8888); }
.detail { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; line-height: ${DETAIL_HEIGHT}px; font-size: 12px; }
.detail { color: var(--vscode-descriptionForeground, var(--vscode-foreground)); font-family: var(--vscode-font-family); }
h2 { font-size: 1.1em; margin: 0.6em 0; }
`;

const BOX = { width: 236, height: 62 };
const GAP = { across: 40, down: 18 };
const EDGE = 10;
/** Letters of 13 pixels are 9 then. */
const LEAST_SCALE = 0.7;
/** The longest name that fits into a box in a wide font. */
const NAME_LENGTH = 26;

export function graphBody(graphs: readonly Graph[]): string {
  const drawn = graphs.filter((one) => one.nodes.length > 0);
  if (drawn.length === 0) {
    return "<p>There is no model, source or seed to draw yet.</p>";
  }
  return drawn.map((one) => `<h2>${escaped(one.project)}</h2><div class="graph">${fitted(one)}</div>`).join("\n");
}

/** The picture is made as small as its place is, but not too small to be read: then it is scrolled. */
function fitted(graph: Graph): string {
  const least = Math.round(sizeOf(graph).width * LEAST_SCALE);
  return `<div class="fit"><svg aria-hidden="true" width="${least}" height="0"></svg>${picture(graph)}</div>`;
}

function sizeOf(graph: Graph): { readonly width: number; readonly height: number } {
  const layers = 1 + Math.max(...graph.nodes.map((node) => node.layer));
  const places = 1 + Math.max(...graph.nodes.map((node) => node.place));
  return {
    width: EDGE * 2 + layers * (BOX.width + GAP.across) - GAP.across,
    height: EDGE * 2 + places * (BOX.height + GAP.down) - GAP.down,
  };
}

function picture(graph: Graph): string {
  const byName = new Map(graph.nodes.map((node) => [node.name, node]));
  const { width, height } = sizeOf(graph);
  const lines = graph.edges.map((edge) => line(byName.get(edge.source), byName.get(edge.to)));
  const label = escaped(`${graph.project}: ${graph.nodes.length} relations, ${graph.edges.length} reads`);
  return [
    `<svg class="whole" role="group" aria-label="${label}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    ...lines,
    ...graph.nodes.map((node) => box(node, readers(graph, node.name))),
    `</svg>`,
  ].join("\n");
}

function readers(graph: Graph, name: string): string {
  const reads = graph.edges.filter((edge) => edge.to === name).map((edge) => edge.source);
  return reads.length > 0 ? `, reads ${reads.join(", ")}` : "";
}

function corner(node: GraphNode): { x: number; y: number } {
  return {
    x: EDGE + node.layer * (BOX.width + GAP.across),
    y: EDGE + node.place * (BOX.height + GAP.down),
  };
}

function line(from: GraphNode | undefined, to: GraphNode | undefined): string {
  if (from === undefined || to === undefined) {
    return "";
  }
  const start = corner(from);
  const end = corner(to);
  const [x1, y1, x2, y2] = [start.x + BOX.width, start.y + BOX.height / 2, end.x, end.y + BOX.height / 2];
  const bend = GAP.across / 2;
  const ends = `data-from="${escaped(from.name)}" data-to="${escaped(to.name)}"`;
  return `<path class="line" ${ends} d="M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}"/>`;
}

function box(node: GraphNode, reads: string): string {
  const { x, y } = corner(node);
  const told = `${node.name}, ${node.kind}${node.detail ? `, ${node.detail}` : ""}${reads}`;
  return [
    `<g class="node" role="link" tabindex="0" data-open="${escaped(node.uri)}" data-name="${escaped(node.name)}" aria-label="${escaped(told)}">`,
    `<title>${escaped(told)}</title>`,
    `<rect class="box ${node.kind}" x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="4"/>`,
    `<text class="strong" x="${x + 10}" y="${y + 19}">${escaped(fittedName(node.name, NAME_LENGTH))}</text>`,
    `<text class="code" x="${x + 10}" y="${y + 36}">${escaped(node.kind)}</text>`,
    // Only the browser knows how much of a text fits: it cuts what stands in HTML.
    `<foreignObject x="${x + 10}" y="${y + 41}" width="${BOX.width - 20}" height="${DETAIL_HEIGHT}">`,
    `<div class="detail">${escaped(node.detail)}</div></foreignObject>`,
    `</g>`,
  ].join("");
}
