import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { partEnvironment } from "./environment.ts";
import { LogFile } from "./log_file.ts";
import { Problem } from "./problem.ts";
import { lastLines } from "./run_command.ts";
import { commandLine, type ServerUser } from "./server_user.ts";

export interface PartOptions {
  /** The name in messages. */
  name: string;
  command: string;
  /** A function is called before every start. */
  args: string[] | (() => string[]);
  /** In addition to {@link partEnvironment}. */
  env?: NodeJS.ProcessEnv;
  /** The file for the output of the process. */
  logFile: string;
  /** Whether the process is ready. */
  isReady: () => Promise<boolean>;
  stopSignal?: NodeJS.Signals;
  user?: ServerUser;
  /** Runs before every start of the process, also after it was killed. */
  beforeStart?: () => void;
  /** Selects the log lines that show why the process ended. By default, all lines since its start. */
  relevantLines?: (log: string, pid: number) => string;
  /** What to do if the process does not start. */
  advice?: string;
}

/**
 * How long it may take until a process is ready. One that ends before is noticed at once; a busy machine may need more
 * than a minute.
 */
const startSeconds = 180;
const stopSeconds = 20;
const pollMilliseconds = 50;

/** Describes how a process ended. It exits with status 0 after a request to stop. */
function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal) return `was terminated by ${signal}`;
  return code === 0 ? "was shut down from outside (status 0)" : `exited with status ${code}`;
}

/** One process of the stack. */
export class Part {
  readonly name: string;
  readonly log: LogFile;
  private readonly stopSignal: NodeJS.Signals;
  private child: ChildProcess;
  private ended: string | undefined;
  private end: Promise<void>;
  private isStopped = false;
  private restarting: Promise<void> | undefined;

  /** Starts the process. {@link waitUntilReady} waits for it. */
  constructor(private readonly options: PartOptions) {
    this.name = options.name;
    this.log = new LogFile(options.logFile);
    this.stopSignal = options.stopSignal ?? "SIGTERM";
    [this.child, this.end] = this.spawn();
  }

  /** @throws Problem if the process could not be started */
  get pid(): number {
    if (this.child.pid === undefined) throw this.failure();
    return this.child.pid;
  }

  /** Resolves when the process ends for any reason. */
  get exited(): Promise<void> {
    return this.end;
  }

  private spawn(): [ChildProcess, Promise<void>] {
    const { command, env, user } = this.options;
    this.options.beforeStart?.();
    const args = typeof this.options.args === "function" ? this.options.args() : this.options.args;
    const log = this.log.open(`${this.name} starts`);
    // A separate session: Ctrl-C in the terminal reaches only this process, which stops the parts in order.
    const child = spawn(...commandLine(command, args, this.stopSignal, user), {
      cwd: "/",
      env: partEnvironment(env),
      stdio: ["ignore", log, log],
      detached: true,
    });
    closeSync(log);
    this.ended = undefined;
    const end = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(`could not be started: ${error.message}`));
      child.once("exit", (code, signal) => resolve(describeExit(code, signal)));
    });
    return [child, end.then((sentence) => void (this.ended = sentence))];
  }

  /** Resolves when the restart that is under way is over, whatever its result; undefined if none is. */
  get restarted(): Promise<void> | undefined {
    return this.restarting?.catch(() => undefined);
  }

  /**
   * Restarts the process and waits until it is ready. Does nothing after {@link stop}.
   * @param whileStopped runs between the end of the process and its new start
   */
  async restart(whileStopped?: () => void | Promise<void>): Promise<void> {
    this.restarting = this.endAndStart(whileStopped);
    await this.restarting.finally(() => (this.restarting = undefined));
  }

  private async endAndStart(whileStopped?: () => void | Promise<void>): Promise<void> {
    await this.endProcess();
    if (this.isStopped) return;
    await whileStopped?.();
    [this.child, this.end] = this.spawn();
    await this.waitUntilReady();
  }

  /** A sentence with the name of the process and how it ended. */
  describeEnd(): string {
    return `${this.name} ${this.ended ?? `has not responded within ${startSeconds} seconds`}.`;
  }

  /** The error to report after an unexpected end of the process. */
  failure(): Problem {
    const log = this.log.sinceStart();
    const lines = lastLines(this.options.relevantLines?.(log, this.child.pid ?? 0) ?? log);
    const { path } = this.log;
    const reason = lines === "" ? `Its log does not show why: ${path}` : `Its log, ${path}, ends with:\n${lines}`;
    return new Problem(
      `${this.describeEnd()} ${reason}`,
      this.options.advice ??
        (lines === ""
          ? "Run `npm start` again when the machine is less busy."
          : "Run `npm start` again. If the error persists, fix the cause that these lines show."),
    );
  }

  /** Waits until the process is ready. @throws Problem if it ends before that or takes too long */
  async waitUntilReady(): Promise<void> {
    const deadline = Date.now() + startSeconds * 1000;
    while (!(await this.options.isReady())) {
      if (this.ended !== undefined || Date.now() > deadline) throw this.failure();
      await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
    }
  }

  /** Stops the process, with SIGKILL after a timeout. It is not restarted. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.endProcess();
  }

  /** Terminates the current process. */
  async endProcess(): Promise<void> {
    if (this.ended !== undefined) return;
    this.child.kill(this.stopSignal);
    const killTimer = setTimeout(() => this.child.kill("SIGKILL"), stopSeconds * 1000);
    await this.end;
    clearTimeout(killTimer);
  }
}
