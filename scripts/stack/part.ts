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
  /** Resolves with a sentence about its end, whether it was asked to stop or not. */
  readonly exited: Promise<string>;
  private readonly child: ChildProcess;
  private readonly stopSignal: NodeJS.Signals;
  private ended: string | undefined;

  constructor(private readonly options: PartOptions) {
    this.name = options.name;
    this.stopSignal = options.stopSignal ?? "SIGTERM";
    const [command, args] = commandLine(options.command, options.args, this.stopSignal, options.user);
    const log = openSync(options.logFile, "w", 0o600);
    // A session of its own: Ctrl-C in the terminal reaches only us, and we stop the parts in order.
    this.child = spawn(command, args, { cwd: "/", env: options.env ?? process.env, stdio: ["ignore", log, log], detached: true });
    closeSync(log);
    this.exited = new Promise((resolve) => {
      this.child.once("error", (error) => resolve((this.ended = `could not be started: ${error.message}`)));
      this.child.once("exit", (code, signal) => resolve((this.ended = signal ? `was ended by ${signal}` : `ended with status ${code}`)));
    });
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
    await this.exited;
    clearTimeout(insist);
  }
}
