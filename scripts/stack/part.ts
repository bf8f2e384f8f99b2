import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { LogFile } from "./log_file.ts";
import { Problem } from "./problem.ts";
import { lastLines } from "./run_command.ts";
import { commandLine, type ServerUser } from "./server_user.ts";

export interface PartOptions {
  /** What people call it in messages. */
  name: string;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  /** Takes everything the process prints. */
  logFile: string;
  /** Whether the process does its work by now. */
  answers: () => Promise<boolean>;
  /** How long it may take until it answers. */
  patienceSeconds: number;
  stopSignal?: NodeJS.Signals;
  user?: ServerUser;
  /** The lines of its log that tell why it ended. Unless given, all since its start. */
  telling?: (log: string, pid: number) => string;
  /** What to do when it does not come up. */
  advice?: string;
}

const stopSeconds = 20;
const pollMilliseconds = 50;

/** How a process ended, in words. Status 0 is what it says when somebody asked it to stop. */
function ending(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal) return `was ended by ${signal}`;
  return code === 0 ? "was shut down by somebody else (status 0)" : `ended with status ${code}`;
}

/** One process of the stack. */
export class Part {
  readonly name: string;
  readonly log: LogFile;
  private readonly stopSignal: NodeJS.Signals;
  private child: ChildProcess;
  private ended: string | undefined;
  private end: Promise<void>;
  private isWanted = true;

  /** Starts the process. {@link untilItAnswers} waits for it. */
  constructor(private readonly options: PartOptions) {
    this.name = options.name;
    this.log = new LogFile(options.logFile);
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
    const { command, args, env, user } = this.options;
    const log = this.log.open(`${this.name} starts`);
    // A session of its own: Ctrl-C in the terminal reaches only us, and we stop the parts in order.
    const child = spawn(...commandLine(command, args, this.stopSignal, user), { cwd: "/", env: env ?? process.env, stdio: ["ignore", log, log], detached: true });
    closeSync(log);
    this.ended = undefined;
    const end = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(`could not be started: ${error.message}`));
      child.once("exit", (code, signal) => resolve(ending(code, signal)));
    });
    return [child, end.then((sentence) => void (this.ended = sentence))];
  }

  /** Stops the process, starts it again and waits until it answers. Does nothing once {@link stop} was called. */
  async restart(): Promise<void> {
    await this.endProcess();
    if (!this.isWanted) return;
    [this.child, this.end] = this.spawn();
    await this.untilItAnswers();
  }

  /** What happened to it: its name and how it ended. */
  whatHappened(): string {
    return `${this.name} ${this.ended ?? "does not answer"}.`;
  }

  /** What to tell when it ended although nobody asked it to. */
  failure(): Problem {
    const log = this.log.sinceStart();
    const lines = lastLines(this.options.telling?.(log, this.child.pid ?? 0) ?? log);
    const { path } = this.log;
    const reason = lines === "" ? `Its log does not say why: ${path}` : `Its log, ${path}, ends with:\n${lines}`;
    return new Problem(`${this.whatHappened()} ${reason}`, this.options.advice ?? "Run `npm start` again. If the same comes again, mend what these lines name.");
  }

  /** @throws Problem when the process ends before it answers, or takes too long. */
  async untilItAnswers(): Promise<void> {
    const deadline = Date.now() + this.options.patienceSeconds * 1000;
    while (!(await this.options.answers())) {
      if (this.ended !== undefined || Date.now() > deadline) throw this.failure();
      await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
    }
  }

  /** Asks the process to stop, and insists after a while. It is not started again. */
  async stop(): Promise<void> {
    this.isWanted = false;
    await this.endProcess();
  }

  /** Ends the process as it is now. */
  async endProcess(): Promise<void> {
    if (this.ended !== undefined) return;
    this.child.kill(this.stopSignal);
    const insist = setTimeout(() => this.child.kill("SIGKILL"), stopSeconds * 1000);
    await this.end;
    clearTimeout(insist);
  }
}
