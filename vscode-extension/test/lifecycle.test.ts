import assert from "node:assert/strict";
import { test } from "node:test";

import {
  type Effect,
  type Event,
  INITIAL,
  type Launch,
  MAX_RESTARTS,
  next,
  type Phase,
  SPAN_MILLISECONDS,
  type State,
} from "../src/pure/lifecycle";

const LAUNCH: Launch = { interpreter: "/v/bin/python", version: "0.4.0", arguments: ["--stdio"], roots: ["/a"] };
const OTHER: Launch = { ...LAUNCH, interpreter: "/w/bin/python" };
const FOUND: Event = { is: "found", found: { is: "launch", launch: LAUNCH } };
const FOUND_OTHER: Event = { is: "found", found: { is: "launch", launch: OTHER } };
const MISSING: Event = { is: "found", found: { is: "noPackage", interpreter: "/v/bin/python" } };
const CHANGED: Event = { is: "changed" };
const RESTART: Event = { is: "restart" };
const STARTED: Event = { is: "started" };
const STOPPED: Event = { is: "stopped" };
const died = (at: number): Event => ({ is: "died", at, why: "killed" });

function run(...events: Event[]): { state: State; effects: Effect[] } {
  let state = INITIAL;
  const effects: Effect[] = [];
  for (const event of events) {
    const step = next(state, event);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}

const names = (effects: readonly Effect[]): string[] => effects.map((effect) => effect.is);
const starts = (effects: readonly Effect[]): number => effects.filter((effect) => effect.is === "start").length;

test("a project leads to a look, a start and a server that is ready", () => {
  const { state, effects } = run(CHANGED, FOUND, STARTED);
  assert.deepEqual(names(effects), ["look", "start"]);
  assert.deepEqual(state.phase, { is: "ready", launch: LAUNCH });
});

test("without a project nothing is started, and a new one wakes it", () => {
  const { state } = run(CHANGED, { is: "found", found: { is: "noProject" } });
  assert.equal(state.phase.is, "asleep");
  assert.deepEqual(next(state, CHANGED).effects, [{ is: "look" }]);
});

test("a change that makes no difference restarts nothing", () => {
  const { state, effects } = run(CHANGED, FOUND, STARTED, CHANGED, FOUND);
  assert.deepEqual(names(effects), ["look", "start", "look"]);
  assert.equal(state.phase.is, "ready");
});

const roots = (...paths: string[]): Event => ({
  is: "found",
  found: { is: "launch", launch: { ...LAUNCH, roots: paths } },
});

test("projects in another order, fewer of them, or one inside another need no other server", () => {
  for (const later of [roots("/b", "/a"), roots("/b"), roots("/a", "/b", "/a/inner"), roots("/a/inner")]) {
    const { effects } = run(CHANGED, roots("/a", "/b"), STARTED, CHANGED, later);
    assert.deepEqual(names(effects), ["look", "start", "look"]);
  }
});

test("a project elsewhere is taken up by another server", () => {
  for (const later of [roots("/a", "/c"), roots("/ab"), roots("/")]) {
    const { effects } = run(CHANGED, roots("/a", "/b"), STARTED, CHANGED, later, STOPPED);
    assert.deepEqual(names(effects), ["look", "start", "look", "stop", "start"]);
  }
});

test("another interpreter stops the server before it starts the next", () => {
  const { state, effects } = run(CHANGED, FOUND, STARTED, CHANGED, FOUND_OTHER, STOPPED, STARTED);
  assert.deepEqual(names(effects), ["look", "start", "look", "stop", "start"]);
  assert.deepEqual(state.phase, { is: "ready", launch: OTHER });
});

test("two restarts at once become one", () => {
  const { state, effects } = run(CHANGED, FOUND, STARTED, RESTART, RESTART, STOPPED, FOUND, STARTED);
  assert.equal(starts(effects), 2);
  assert.equal(state.phase.is, "ready");
  const settled = run(CHANGED, FOUND, STARTED, RESTART, RESTART, RESTART, STOPPED, FOUND, STARTED);
  assert.equal(starts(settled.effects), 2);
});

test("two changes during a start become one look, and no restart if nothing differs", () => {
  const { state, effects } = run(CHANGED, FOUND, CHANGED, CHANGED, STARTED, FOUND);
  assert.deepEqual(names(effects), ["look", "start", "look"]);
  assert.equal(state.phase.is, "ready");
});

test("a change during a look is looked at once more before anything starts", () => {
  const { state, effects } = run(CHANGED, CHANGED, CHANGED, FOUND, FOUND_OTHER, STARTED);
  assert.deepEqual(names(effects), ["look", "look", "start"]);
  assert.deepEqual(state.phase, { is: "ready", launch: OTHER });
});

test("a restart asked for while a start is under way is done once it has ended", () => {
  const { effects } = run(CHANGED, FOUND, RESTART, RESTART, STARTED, STOPPED, FOUND, STARTED);
  assert.deepEqual(names(effects), ["look", "start", "stop", "look", "start"]);
});

test("a missing package is told once and never tried again by itself", () => {
  const { state, effects } = run(CHANGED, MISSING);
  assert.deepEqual(names(effects), ["look", "tell"]);
  for (const late of [STARTED, STOPPED, died(1), FOUND]) {
    assert.deepEqual(next(state, late), { state, effects: [] });
  }
});

test("a missing package that is installed is found by the next change", () => {
  const { state } = run(CHANGED, MISSING, RESTART, FOUND, STARTED);
  assert.equal(state.phase.is, "ready");
});

test("an interpreter that vanishes while the server runs stops it and is told", () => {
  const gone: Event = { is: "found", found: { is: "noInterpreter", tried: "python3", why: "gone" } };
  const { state, effects } = run(CHANGED, FOUND, STARTED, CHANGED, gone, STOPPED, gone);
  assert.deepEqual(names(effects), ["look", "start", "look", "stop", "look", "tell"]);
  assert.equal(state.phase.is, "noInterpreter");
});

test("the last project that goes puts the server to sleep", () => {
  const { state, effects } = run(
    CHANGED,
    FOUND,
    STARTED,
    CHANGED,
    { is: "found", found: { is: "noProject" } },
    STOPPED,
  );
  assert.deepEqual(names(effects), ["look", "start", "look", "stop"]);
  assert.equal(state.phase.is, "asleep");
});

test("a server that is killed comes back", () => {
  const { state, effects } = run(CHANGED, FOUND, STARTED, died(1000), FOUND, STARTED);
  assert.equal(starts(effects), 2);
  assert.equal(state.phase.is, "ready");
});

test("a server that keeps dying is given up, and told once", () => {
  const events: Event[] = [CHANGED];
  for (let death = 0; death <= MAX_RESTARTS; death++) {
    events.push(FOUND, STARTED, died(death * 1000));
  }
  const { state, effects } = run(...events);
  assert.equal(state.phase.is, "crashed");
  assert.equal(starts(effects), MAX_RESTARTS + 1);
  assert.equal(names(effects).filter((name) => name === "tell").length, 1);
  const after = next(next(state, RESTART).state, FOUND);
  assert.deepEqual(names(after.effects), ["start"]);
});

test("one that cannot even begin is given up just so", () => {
  const events: Event[] = [CHANGED];
  for (let death = 0; death <= MAX_RESTARTS; death++) {
    events.push(FOUND, died(death));
  }
  assert.equal(run(...events).state.phase.is, "crashed");
});

test("deaths long ago are forgiven", () => {
  const events: Event[] = [CHANGED];
  for (let death = 0; death < 20; death++) {
    events.push(FOUND, STARTED, died(death * SPAN_MILLISECONDS));
  }
  const { state } = run(...events, FOUND, STARTED);
  assert.equal(state.phase.is, "ready");
});

test("a death during a look at a changed setting is not waited for", () => {
  const { state, effects } = run(CHANGED, FOUND, STARTED, CHANGED, died(1), FOUND, STARTED);
  assert.equal(state.phase.is, "ready");
  assert.deepEqual(names(effects), ["look", "start", "look", "start"]);
});

test("a death after the server was told to stop is no crash", () => {
  const { state } = run(CHANGED, FOUND, STARTED, RESTART, died(1), STOPPED, FOUND, STARTED);
  assert.deepEqual(state.deaths, []);
  assert.equal(state.phase.is, "ready");
});

/**
 * Whatever happens in whatever order, one thing at a time is under way, and every thing that is begun is awaited: an
 * effect is only asked for where its answer moves the state on.
 */
test("every order of events keeps one server at most and never gets stuck", () => {
  const seed = { value: 12345 };
  const draw = (below: number): number => {
    seed.value = (seed.value * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed.value / 2147483648) * below);
  };
  for (let round = 0; round < 2000; round++) {
    let state = INITIAL;
    let pending: "none" | "look" | "start" | "stop" = "none";
    let alive = false;
    let now = 0;
    for (let step = 0; step < 30; step++) {
      const events: Event[] = [CHANGED, RESTART];
      if (pending === "look") {
        events.push(FOUND, FOUND_OTHER, MISSING);
      }
      if (pending === "start") {
        events.push(STARTED, died(now));
      }
      if (pending === "stop") {
        events.push(STOPPED);
      }
      if (alive) {
        events.push(died(now));
      }
      const event = events[draw(events.length)] as Event;
      now += 30_000;
      if (["found", "started", "stopped"].includes(event.is) || (pending === "start" && event.is === "died")) {
        pending = "none";
      }
      alive = event.is === "died" || event.is === "stopped" ? false : alive || event.is === "started";
      const done = next(state, event);
      state = done.state;
      for (const effect of done.effects) {
        if (effect.is === "tell") {
          continue;
        }
        assert.equal(pending, "none", `${effect.is} while ${pending} is under way`);
        pending = effect.is;
        if (effect.is === "start") {
          assert.equal(alive, false, "a second server beside a living one");
        }
      }
      assert.equal(pending, awaited(state.phase), `in ${state.phase.is}`);
      if (state.phase.is !== "stopping") {
        assert.equal(alive, living(state.phase), `in ${state.phase.is}`);
      }
    }
  }
});

function awaited(phase: Phase): string {
  return { looking: "look", starting: "start", stopping: "stop" }[phase.is as string] ?? "none";
}

function living(phase: Phase): boolean {
  if (phase.is === "looking") {
    return phase.running !== undefined;
  }
  return phase.is === "ready";
}
