/** What the status item says, and the one thing that helps. */

import type { Phase } from "./lifecycle";

export interface Status {
  readonly text: string;
  readonly detail: string;
  readonly severity: "information" | "warning" | "error";
  readonly busy: boolean;
  readonly action: { readonly title: string; readonly command: string };
}

export function status(phase: Phase): Status {
  switch (phase.is) {
    case "asleep":
      return quiet("no project", "There is no smelt.yml in this workspace.", "New project", "smelt.init");
    case "looking":
    case "starting":
    case "stopping":
      return { ...quiet("starting", "", "Show log", "smelt.showServerLog"), busy: true };
    case "ready":
      return quiet(phase.launch.version, phase.launch.interpreter, "Show log", "smelt.showServerLog");
    case "noInterpreter":
      return bad("no interpreter", `${phase.tried} ${phase.why}`, "Select interpreter", "smelt.selectInterpreter");
    case "noPackage":
      return bad("not installed", phase.interpreter, "Install", "smelt.install");
    case "crashed":
      return bad("crashed", phase.why, "Restart", "smelt.restartServer");
  }
}

function quiet(text: string, detail: string, title: string, command: string): Status {
  return { text: `smelt: ${text}`, detail, severity: "information", busy: false, action: { title, command } };
}

function bad(text: string, detail: string, title: string, command: string): Status {
  return { text: `smelt: ${text}`, detail, severity: "error", busy: false, action: { title, command } };
}
