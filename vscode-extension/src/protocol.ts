/** The server's own requests; `smelt_lsp/views.py` is the other end. */

import { RequestType } from "vscode-languageclient/node";

import type { Graph } from "./pure/graph";
import type { Timeline } from "./pure/timeline";

export interface OfDocument {
  readonly textDocument: { readonly uri: string };
}

export interface Told {
  readonly model: string;
  readonly text: string;
  readonly refused: boolean;
  /** The URI of the project's folder. */
  readonly root: string;
}

export interface Checked {
  readonly project: string;
  readonly models: number;
  readonly errors: number;
  readonly warnings: number;
  readonly files: number;
}

export const explainModel = new RequestType<OfDocument, Told | null, void>("smelt/explainModel");
export const compiledSql = new RequestType<OfDocument, Told | null, void>("smelt/compiledSql");
export const timeline = new RequestType<OfDocument, Timeline | null, void>("smelt/timeline");
export const graph = new RequestType<Partial<OfDocument>, readonly Graph[], void>("smelt/graph");
export const checkProject = new RequestType<Partial<OfDocument>, readonly Checked[], void>("smelt/checkProject");
