import assert from "node:assert/strict";
import { test } from "node:test";

import { type Graph, GRAPH_STYLES, graphBody } from "../src/pure/graph";
import { escaped, page } from "../src/pure/page";
import { type Timeline, timelineBody } from "../src/pure/timeline";

const HOSTILE = `<img src=x onerror="alert(1)">'&`;

const TIMELINE: Timeline = {
  model: "customer_history",
  key: ["customer_id"],
  clock: "valid_from",
  text: "A new event is inserted.",
  nodes: [
    {
      role: "predecessor",
      slot: 0,
      change: "patched",
      columns: ["valid_to"],
      label: "predecessor",
      note: "patched: valid_to",
    },
    { role: "event", slot: 1, change: "inserted", columns: [], label: "new event", note: "inserted as a row" },
    { role: "successor", slot: 2, change: "kept", columns: [], label: "successor", note: "not touched" },
    { role: "tombstone", slot: 1, change: "stored", columns: [], label: "tombstone", note: "in the ledger" },
  ],
  edges: [
    { source: "event", to: "predecessor", label: "LEAD", columns: ["valid_to"] },
    { source: "event", to: "tombstone", label: "if is_deleted", columns: [] },
  ],
};

const GRAPH: Graph = {
  project: "shop",
  nodes: [
    {
      name: "sources.changes",
      kind: "source",
      detail: "append-only",
      uri: "file:///s/changes.yml",
      layer: 0,
      place: 0,
    },
    {
      name: "history",
      kind: "succession",
      detail: "identity id, at",
      uri: "file:///s/history.sql",
      layer: 1,
      place: 0,
    },
  ],
  edges: [{ source: "sources.changes", to: "history" }],
};

const count = (text: string, part: string): number => text.split(part).length - 1;

test("a page lets nothing in but what carries its nonce", () => {
  const html = page({ title: "t", body: "b", styles: "", nonce: "n0nce" });
  assert.match(html, /content="default-src 'none'; style-src 'nonce-n0nce'; script-src 'nonce-n0nce'"/);
  assert.equal(count(html, "<script"), count(html, '<script nonce="n0nce">'));
  assert.equal(count(html, "<style"), count(html, '<style nonce="n0nce">'));
  assert.doesNotMatch(html, /https?:|unsafe-inline|\son\w+=|\sstyle=/);
});

test("no part of a picture brings its own style, script or address", () => {
  for (const body of [timelineBody(TIMELINE, ""), graphBody([GRAPH])]) {
    assert.doesNotMatch(body, /https?:|<script|\sstyle=|\son\w+=|javascript:/);
  }
});

test("names are shown as they are, never read as markup", () => {
  const timeline = timelineBody({ ...TIMELINE, model: HOSTILE, key: [HOSTILE], clock: HOSTILE, text: HOSTILE }, "");
  const graph = graphBody([
    { ...GRAPH, project: HOSTILE, nodes: GRAPH.nodes.map((node) => ({ ...node, detail: HOSTILE, uri: HOSTILE })) },
  ]);
  for (const body of [timeline, graph, page({ title: HOSTILE, body: "", styles: "", nonce: "n" })]) {
    assert.doesNotMatch(body, /<img/);
    assert.ok(body.includes(escaped("<img src=x")));
  }
});

test("the timeline has a box for every node and an arrow for every edge", () => {
  const body = timelineBody(TIMELINE, "");
  for (const node of TIMELINE.nodes) {
    assert.equal(count(body, `data-role="${node.role}" data-change="${node.change}"`), 1);
  }
  assert.equal(count(body, "marker-end"), TIMELINE.edges.length);
  assert.match(body, />LEAD</);
  assert.match(body, />if is_deleted</);
});

test("the timeline is said in words, too, and the picture is named by them", () => {
  const body = timelineBody(TIMELINE, "");
  assert.match(body, /role="img" aria-labelledby="words"/);
  assert.match(body, /id="words">A new event is inserted\./);
});

test("without a picture the words stand alone", () => {
  const body = timelineBody({ ...TIMELINE, nodes: [], edges: [], text: "It is a view." }, "");
  assert.doesNotMatch(body, /<svg/);
  assert.match(body, /It is a view\./);
});

test("without a model the view says what to do", () => {
  assert.equal(timelineBody(undefined, "Open a model."), '<p class="words">Open a model.</p>');
});

test("a long name is cut in the box and whole in its title", () => {
  const note = `patched: ${"a_long_column, ".repeat(9)}`;
  const body = timelineBody({ ...TIMELINE, nodes: TIMELINE.nodes.map((node) => ({ ...node, note })) }, "");
  assert.ok(body.includes(`${note}</title>`));
  assert.ok(!body.includes(`>${note}</text>`));
});

test("every node of the graph can be reached and opened with the keyboard", () => {
  const body = graphBody([GRAPH]);
  assert.equal(count(body, 'role="link" tabindex="0"'), GRAPH.nodes.length);
  for (const node of GRAPH.nodes) {
    assert.ok(body.includes(`data-open="${node.uri}"`));
  }
  assert.match(body, /aria-label="history, succession, identity id, at, reads sources\.changes"/);
});

test("the boxes of a graph do not lie on one another", () => {
  const nodes = [0, 1, 2].flatMap((layer) =>
    [0, 1, 2].map((place) => ({ ...GRAPH.nodes[0]!, name: `n${layer}${place}`, layer, place })),
  );
  const body = graphBody([{ ...GRAPH, nodes, edges: [] }]);
  const places = [...body.matchAll(/<rect class="box source" x="(\d+)" y="(\d+)"/g)].map(
    (found) => `${found[1]},${found[2]}`,
  );
  assert.equal(new Set(places).size, 9);
});

test("a long name in the graph keeps its end", () => {
  const names = ["sources.campaign_changes_0012", "sources.campaign_changes_0013"];
  const nodes = names.map((name, place) => ({ ...GRAPH.nodes[0]!, name, place }));
  const body = graphBody([{ ...GRAPH, nodes, edges: [] }]);
  for (const name of names) {
    const shown = `>${name.slice(0, 12)}…${name.slice(-13)}</text>`;
    assert.ok(body.includes(shown), shown);
    assert.ok(body.includes(`<title>${name}`));
  }
});

test("what a box says of its relation is whole: the browser cuts what does not fit", () => {
  const detail = `identity ${"a_long_column, ".repeat(9)}`;
  const body = graphBody([{ ...GRAPH, nodes: [{ ...GRAPH.nodes[0]!, detail }], edges: [] }]);
  assert.ok(body.includes(`<div class="detail">${detail}</div>`));
  assert.match(GRAPH_STYLES, /\.detail \{[^}]*text-overflow: ellipsis/);
});

test("a line of the graph says what it joins", () => {
  assert.match(graphBody([GRAPH]), /data-from="sources\.changes" data-to="history"/);
});

test("a graph is drawn as small as its place, but not smaller than can be read", () => {
  const body = graphBody([GRAPH]);
  const natural = Number(/class="whole"[^>]* width="(\d+)"/.exec(body)?.[1]);
  const least = Number(/<svg aria-hidden="true" width="(\d+)" height="0">/.exec(body)?.[1]);
  assert.ok(natural > least && least > natural / 2, `${natural}, ${least}`);
  assert.match(GRAPH_STYLES, /\.fit \{ min-width: min-content; \}\n\.fit \.whole \{ max-width: 100%; height: auto; \}/);
});

test("an edge to something that is not drawn is left out", () => {
  assert.doesNotMatch(graphBody([{ ...GRAPH, edges: [{ source: "nowhere", to: "history" }] }]), /class="line"/);
});

test("an empty graph says so, and several projects have a heading each", () => {
  assert.match(graphBody([]), /no model, source or seed/);
  assert.equal(count(graphBody([GRAPH, { ...GRAPH, project: "other" }]), "<h2>"), 2);
});
