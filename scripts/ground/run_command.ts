import { execa } from "execa";

/** The exit code and output of a command. */
export interface CommandResult {
  code: number;
  /** The output of both streams, for messages. */
  output: string;
  /** Only the standard output, for processing. */
  stdout: string;
}

export interface CommandOptions {
  /** Added to the environment of this process, unless it is the whole of it. */
  env?: NodeJS.ProcessEnv;
  extendEnv?: boolean;
  cwd?: string;
  /** What the command reads from its standard input; nothing by default. */
  input?: string;
  /** Called with every complete line as it is printed. */
  onLine?: (line: string) => void;
}

/** Runs a command to completion and collects its output. The code of a command that could not be started is 127. */
export async function runCommand(
  command: string,
  args: string[],
  { onLine, input, ...options }: CommandOptions = {},
): Promise<CommandResult> {
  const running = execa(command, args, {
    ...options,
    ...(input === undefined ? { stdin: "ignore" } : { input }),
    all: true,
    reject: false,
    stripFinalNewline: false,
  });
  if (onLine) for await (const line of running.iterable({ from: "all" })) onLine(line);
  const { exitCode, all, stdout, originalMessage } = await running;
  if (exitCode === undefined && originalMessage) return { code: 127, output: originalMessage, stdout };
  return { code: exitCode ?? 1, output: all, stdout };
}

/** Returns the last lines of a text, to show why something failed. */
export function lastLines(text: string, count = 15): string {
  return text.trimEnd().split("\n").slice(-count).join("\n");
}
