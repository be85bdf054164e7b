/** One server process: how it is started, what it said last, and its end if it does not answer. */

import { type ChildProcess, spawn } from "node:child_process";

import type { Launch } from "./pure/lifecycle";

/** How long a server may take until it has answered for the first time. */
const ANSWER_MILLISECONDS = 60_000;
/** How long one that was told to end may take. */
const END_MILLISECONDS = 2_000;

export class ServerProcess {
  private said = "";
  private process: ChildProcess | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly launch: Launch,
    /** Where it is started: Python looks for modules there, and finds none. */
    private readonly neutral: string,
  ) {}

  /** Start it. It is ended if nobody says in time that it has answered. */
  start(failed: (why: string) => void): ChildProcess {
    const process = spawn(this.launch.interpreter, this.launch.arguments, { cwd: this.neutral, windowsHide: true });
    process.stderr.on("data", (data: Buffer) => {
      this.said = data.toString().trim().split(/\r?\n/).pop() || this.said;
    });
    process.on("error", (error) => failed(error.message));
    this.process = process;
    this.timer = setTimeout(() => {
      this.said = `no answer within ${ANSWER_MILLISECONDS / 1000} seconds`;
      this.process?.kill("SIGKILL");
    }, ANSWER_MILLISECONDS);
    return process;
  }

  /** It has answered, or is gone. */
  settled(): void {
    clearTimeout(this.timer);
  }

  /** Resolves when it has ended; it was told to before, and is killed if it takes too long. */
  ended(): Promise<void> {
    const { process } = this;
    this.settled();
    if (
      process === undefined ||
      process.exitCode !== null ||
      process.signalCode !== null ||
      process.pid === undefined
    ) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => process.kill("SIGKILL"), END_MILLISECONDS);
      process.once("exit", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** The last line that it wrote on stderr: mostly the reason of its end. */
  get lastWords(): string {
    return this.said || "without a word";
  }
}
