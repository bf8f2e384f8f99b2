import { spawn } from "node:child_process";

/** How a command ended. */
export interface CommandResult {
  code: number;
  /** What it printed on both streams, for messages. */
  output: string;
  /** What it printed on the standard output alone, for use. */
  stdout: string;
}

export interface CommandOptions {
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  input?: string;
  /** Called with every full line as it is printed. */
  onLine?: (line: string) => void;
}

/** Runs a command to its end and collects its output. A command that cannot be started counts as code 127. */
export function runCommand(command: string, args: string[], options: CommandOptions = {}): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: options.cwd, env: options.env ?? process.env, stdio: ["pipe", "pipe", "pipe"] });
    let output = "";
    let stdout = "";
    let unfinished = "";
    const take = (chunk: string) => {
      output += chunk;
      const lines = (unfinished + chunk).split("\n");
      unfinished = lines.pop() ?? "";
      lines.forEach((line) => options.onLine?.(line));
    };
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk;
      take(chunk);
    });
    child.stderr.setEncoding("utf8").on("data", take);
    child.on("error", (error) => resolve({ code: 127, output: error.message, stdout }));
    child.on("close", (code) => resolve({ code: code ?? 1, output, stdout }));
    // A command that ends without reading its input is no error of ours.
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
  });
}

/** The last lines of a text, for showing why something failed. */
export function lastLines(text: string, count = 15): string {
  return text.trimEnd().split("\n").slice(-count).join("\n");
}
