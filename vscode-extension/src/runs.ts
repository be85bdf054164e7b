/** Hears of runs by what they write, wherever they were started. */

import { readdir } from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";

/** What the lines above models tell of; the first is written once something was folded. */
const COVERED = "intervals.json";
const RUNS = `**/.smelt/targets/*/{${COVERED},runs/*.json}`;
const STATE = "**/.smelt";
const FIRST_WAIT = 500;
const WAITS = 12;

export interface Ears {
  /** Something was folded. */
  readonly folded: () => void;
  /** What is recorded of runs is another. */
  readonly changed: () => void;
}

export class Runs {
  private readonly subscriptions: vscode.Disposable[];
  private over = false;

  constructor(private readonly ears: Ears) {
    const runs = vscode.workspace.createFileSystemWatcher(RUNS);
    const states = vscode.workspace.createFileSystemWatcher(STATE, false, true, true);
    const written = (file: vscode.Uri): void => this.written(path.posix.basename(file.path));
    this.subscriptions = [
      runs,
      states,
      runs.onDidCreate(written),
      runs.onDidChange(written),
      runs.onDidDelete(() => ears.changed()),
      states.onDidCreate((folder) => void this.first(folder.fsPath)),
    ];
  }

  dispose(): void {
    this.over = true;
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private written(name: string): void {
    if (name === COVERED) {
      this.ears.folded();
    }
    this.ears.changed();
  }

  /** Look for a project's first run: a watcher that hears of a new folder misses what is made in it at once. */
  private async first(state: string): Promise<void> {
    for (let turn = 0, wait = FIRST_WAIT; turn < WAITS && !this.over; turn += 1, wait *= 2) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (await hasFolded(state)) {
        this.written(COVERED);
        return;
      }
    }
  }
}

async function hasFolded(state: string): Promise<boolean> {
  const targets = path.join(state, "targets");
  try {
    const files = await Promise.all((await readdir(targets)).map((target) => readdir(path.join(targets, target))));
    return files.flat().includes(COVERED);
  } catch {
    return false; // not there yet, or no more
  }
}
