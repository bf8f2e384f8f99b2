import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { Problem } from "./problem.ts";
import { lastLines } from "./run_command.ts";
import { commandLine, type ServerUser } from "./server_user.ts";

export interface PartOptions {
  /** What people call it in messages. */
  name: string;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  /** Takes everything the process prints; started anew with it. */
  logFile: string;
  stopSignal?: NodeJS.Signals;
  user?: ServerUser;
  /** What to do when it fails. */
  advice?: string;
}

const stopSeconds = 20;
const pollMilliseconds = 50;

/** One process of the stack. */
export class Part {
  readonly name: string;
  private readonly stopSignal: NodeJS.Signals;
  private child: ChildProcess;
  private ended: string | undefined;
  private end: Promise<void>;

  constructor(private readonly options: PartOptions) {
    this.name = options.name;
    this.stopSignal = options.stopSignal ?? "SIGTERM";
    [this.child, this.end] = this.spawn();
  }

  /** @throws Problem when it could not be started */
  get pid(): number {
    if (this.child.pid === undefined) throw this.failure();
    return this.child.pid;
  }

  /** Resolves when the process ends, whether it was asked to or not. */
  get exited(): Promise<void> {
    return this.end;
  }

  private spawn(): [ChildProcess, Promise<void>] {
    const { command, args, env, logFile, user } = this.options;
    const log = openSync(logFile, "w", 0o600);
    // A session of its own: Ctrl-C in the terminal reaches only us, and we stop the parts in order.
    const child = spawn(...commandLine(command, args, this.stopSignal, user), { cwd: "/", env: env ?? process.env, stdio: ["ignore", log, log], detached: true });
    closeSync(log);
    this.ended = undefined;
    const end = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(`could not be started: ${error.message}`));
      child.once("exit", (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with status ${code}`));
    });
    return [child, end.then((sentence) => void (this.ended = sentence))];
  }

  /** Stops the process and starts it anew. */
  async restart(): Promise<void> {
    await this.stop();
    [this.child, this.end] = this.spawn();
  }

  /** The end of its log, for messages. */
  logTail(): string {
    return lastLines(readFileSync(this.options.logFile, "utf8")) || "(its log is empty)";
  }

  /** What to tell when it ended although nobody asked it to. */
  failure(): Problem {
    return new Problem(`${this.name} ${this.ended ?? "does not answer"}. The last lines of ${this.options.logFile}:\n${this.logTail()}`, this.options.advice ?? "Mend what they name, or just start again.");
  }

  /** Waits until `probe` is true. @throws Problem when the process ends before, or the time is up. */
  async waitUntil(probe: () => Promise<boolean>, seconds: number): Promise<void> {
    const deadline = Date.now() + seconds * 1000;
    while (!(await probe())) {
      if (this.ended !== undefined || Date.now() > deadline) throw this.failure();
      await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
    }
  }

  /** Asks the process to stop, and insists after a while. */
  async stop(): Promise<void> {
    if (this.ended !== undefined) return;
    this.child.kill(this.stopSignal);
    const insist = setTimeout(() => this.child.kill("SIGKILL"), stopSeconds * 1000);
    await this.end;
    clearTimeout(insist);
  }
}
