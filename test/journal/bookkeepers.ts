import { spawnSync } from "node:child_process";

/** How each program checks a journal, with nothing tolerated. */
const commands = {
  hledger: (file: string) => ["hledger", "-f", file, "check"],
  ledger: (file: string) => ["ledger", "-f", file, "balance", "--no-total"],
  beancount: (file: string) => ["bean-check", file],
} as const;

export type Bookkeeper = keyof typeof commands;
export const bookkeepers = Object.keys(commands) as Bookkeeper[];

/** @returns what the program has against a journal; undefined if it accepts it */
export function objectionOf(program: Bookkeeper, file: string): string | undefined {
  const [command, ...args] = commands[program](file);
  const { status, stderr, stdout, error } = spawnSync(command!, args, { encoding: "utf8", env: { ...process.env, LC_ALL: "C.UTF-8" } });
  if (error) throw error;
  return status === 0 && stderr === "" ? undefined : `${stderr}${stdout}`.slice(0, 2000) || `status ${status}`;
}
