/**
 * When the server is started, restarted and given up: a state, an event, the next state and what to do.
 *
 * Nothing here waits, spawns or asks a clock, so every order of events can be tested. Two rules hold throughout:
 * whatever is asked for while something is under way is done once, afterwards; and a server that dies is started again
 * a limited number of times, while one that cannot be started at all is not tried again until something changes.
 */

/** What starts a server, and the folders of the projects that it hears of. */
export interface Launch {
  readonly interpreter: string;
  readonly version: string;
  readonly arguments: readonly string[];
  readonly roots: readonly string[];
}

/** What was found when an interpreter was looked for. */
export type Found =
  | { readonly is: "launch"; readonly launch: Launch }
  /** `why` is said after the path: that it does not start, or is something else. */
  | { readonly is: "noInterpreter"; readonly tried: string; readonly why: string }
  | { readonly is: "noPackage"; readonly interpreter: string }
  | { readonly is: "noProject" };

export type Phase =
  | { readonly is: "asleep" }
  | { readonly is: "looking"; readonly running?: Launch }
  | { readonly is: "starting"; readonly launch: Launch }
  | { readonly is: "ready"; readonly launch: Launch }
  | { readonly is: "stopping"; readonly then: Launch | "look" | "sleep" }
  | { readonly is: "noInterpreter"; readonly tried: string; readonly why: string }
  | { readonly is: "noPackage"; readonly interpreter: string }
  | { readonly is: "crashed"; readonly launch: Launch; readonly why: string };

export interface State {
  readonly phase: Phase;
  /** When servers died lately, in milliseconds. */
  readonly deaths: readonly number[];
  /** What to do once what is under way has ended. */
  readonly again: "no" | "look" | "restart";
}

export type Event =
  | { readonly is: "changed" }
  | { readonly is: "restart" }
  | { readonly is: "found"; readonly found: Found }
  | { readonly is: "started" }
  | { readonly is: "died"; readonly at: number; readonly why: string }
  | { readonly is: "stopped" };

export type Effect =
  | { readonly is: "look" }
  | { readonly is: "start"; readonly launch: Launch }
  | { readonly is: "stop" }
  | { readonly is: "tell" };

export interface Step {
  readonly state: State;
  readonly effects: readonly Effect[];
}

/** A server that dies once more within the span is not started again. */
export const MAX_RESTARTS = 3;
export const SPAN_MILLISECONDS = 3 * 60 * 1000;

export const INITIAL: State = { phase: { is: "asleep" }, deaths: [], again: "no" };

const LOOK: Effect = { is: "look" };
const STOP: Effect = { is: "stop" };
const TELL: Effect = { is: "tell" };

/** Whether a phase ends by itself, one way or another. */
export function underWay(phase: Phase): boolean {
  return phase.is === "looking" || phase.is === "starting" || phase.is === "stopping";
}

export function next(state: State, event: Event): Step {
  switch (event.is) {
    case "changed":
      return changed(state);
    case "restart":
      return restart(state);
    case "found":
      return found(state, event.found);
    case "started":
      return started(state);
    case "died":
      return died(state, event.at, event.why);
    case "stopped":
      return stopped(state);
  }
}

/** A setting, the interpreter or the projects changed: look whether that makes a difference. */
function changed(state: State): Step {
  const { phase } = state;
  switch (phase.is) {
    case "looking":
    case "starting":
    case "stopping":
      return stay({ ...state, again: state.again === "no" ? "look" : state.again });
    case "ready":
      return go({ ...state, phase: { is: "looking", running: phase.launch } }, LOOK);
    default:
      return go({ ...state, phase: { is: "looking" }, deaths: [] }, LOOK);
  }
}

/** A person asks for a fresh server. */
function restart(state: State): Step {
  const { phase } = state;
  switch (phase.is) {
    case "looking":
    case "starting":
    case "stopping":
      return stay({ ...state, deaths: [], again: "restart" });
    case "ready":
      return go({ ...state, deaths: [], phase: { is: "stopping", then: "look" } }, STOP);
    default:
      return go({ ...state, phase: { is: "looking" }, deaths: [] }, LOOK);
  }
}

function found(state: State, what: Found): Step {
  const { phase } = state;
  if (phase.is !== "looking") {
    return stay(state);
  }
  const { running } = phase;
  if (state.again === "restart" && running !== undefined) {
    return go({ ...state, again: "no", phase: { is: "stopping", then: "look" } }, STOP);
  }
  if (state.again !== "no") {
    return go({ ...state, again: "no" }, LOOK);
  }
  if (running === undefined) {
    return settle(state, what);
  }
  if (what.is === "launch") {
    return serves(running, what.launch)
      ? stay({ ...state, phase: { is: "ready", launch: running } })
      : go({ ...state, phase: { is: "stopping", then: what.launch } }, STOP);
  }
  return go({ ...state, phase: { is: "stopping", then: what.is === "noProject" ? "sleep" : "look" } }, STOP);
}

/** Nothing runs: start a server, or say why not. */
function settle(state: State, what: Found): Step {
  switch (what.is) {
    case "launch":
      return go({ ...state, phase: { is: "starting", launch: what.launch } }, { is: "start", launch: what.launch });
    case "noInterpreter":
      return go({ ...state, phase: what }, TELL);
    case "noPackage":
      return go({ ...state, phase: what }, TELL);
    case "noProject":
      return stay({ ...state, phase: { is: "asleep" } });
  }
}

function started(state: State): Step {
  const { phase } = state;
  if (phase.is !== "starting") {
    return stay(state);
  }
  if (state.again === "restart") {
    return go({ ...state, again: "no", phase: { is: "stopping", then: "look" } }, STOP);
  }
  if (state.again === "look") {
    return go({ ...state, again: "no", phase: { is: "looking", running: phase.launch } }, LOOK);
  }
  return stay({ ...state, phase: { is: "ready", launch: phase.launch } });
}

function died(state: State, at: number, why: string): Step {
  const { phase } = state;
  if (phase.is === "looking" && phase.running !== undefined) {
    // The look that is under way decides what is started next.
    const deaths = recent(state.deaths, at);
    return deaths.length > MAX_RESTARTS
      ? go({ deaths, again: "no", phase: { is: "crashed", launch: phase.running, why } }, TELL)
      : stay({ ...state, deaths, phase: { is: "looking" } });
  }
  if (phase.is !== "ready" && phase.is !== "starting") {
    return stay(state);
  }
  const deaths = recent(state.deaths, at);
  return deaths.length > MAX_RESTARTS
    ? go({ deaths, again: "no", phase: { is: "crashed", launch: phase.launch, why } }, TELL)
    : go({ deaths, again: "no", phase: { is: "looking" } }, LOOK);
}

function stopped(state: State): Step {
  const { phase } = state;
  if (phase.is !== "stopping") {
    return stay(state);
  }
  if (state.again !== "no" || phase.then === "look") {
    return go({ ...state, again: "no", phase: { is: "looking" } }, LOOK);
  }
  if (phase.then === "sleep") {
    return stay({ ...state, phase: { is: "asleep" } });
  }
  return go({ ...state, phase: { is: "starting", launch: phase.then } }, { is: "start", launch: phase.then });
}

function recent(deaths: readonly number[], at: number): readonly number[] {
  return [...deaths.filter((one) => at - one < SPAN_MILLISECONDS), at];
}

/** Whether a running server does all that another launch would. It hears of everything below its roots. */
function serves(running: Launch, wanted: Launch): boolean {
  return (
    JSON.stringify(program(running)) === JSON.stringify(program(wanted)) &&
    wanted.roots.every((root) => running.roots.some((above) => root === above || isBelow(root, above)))
  );
}

function program(launch: Launch): readonly unknown[] {
  return [launch.interpreter, launch.version, launch.arguments];
}

function isBelow(path: string, above: string): boolean {
  return path.startsWith(above) && /^[\\/]/.test(path.slice(above.length));
}

function stay(state: State): Step {
  return { state, effects: [] };
}

function go(state: State, ...effects: Effect[]): Step {
  return { state, effects };
}
