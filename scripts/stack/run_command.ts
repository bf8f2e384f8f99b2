import { execa } from "execa";

/** How a command ended. */
export interface CommandResult {
  code: number;
  /** What it printed on both streams, for messages. */
  output: string;
  /** What it printed on the standard output alone, for use. */
  stdout: string;
}

export interface CommandOptions {
  /** Added to the environment of this process. */
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Called with every full line as it is printed. */
  onLine?: (line: string) => void;
}

/** Runs a command to its end and collects its output. A command that cannot be started counts as code 127. */
export async function runCommand(command: string, args: string[], { onLine, ...options }: CommandOptions = {}): Promise<CommandResult> {
  const running = execa(command, args, { ...options, stdin: "ignore", all: true, reject: false, stripFinalNewline: false });
  if (onLine) for await (const line of running.iterable({ from: "all" })) onLine(line);
  const { exitCode, all, stdout, originalMessage } = await running;
  if (exitCode === undefined && originalMessage) return { code: 127, output: originalMessage, stdout };
  return { code: exitCode ?? 1, output: all, stdout };
}

/** The last lines of a text, for showing why something failed. */
export function lastLines(text: string, count = 15): string {
  return text.trimEnd().split("\n").slice(-count).join("\n");
}
