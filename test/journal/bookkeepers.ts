import { spawnSync } from "node:child_process";
import { formats } from "../../scripts/journal/formats.ts";

export type Bookkeeper = keyof typeof formats;
export const bookkeepers = Object.keys(formats) as Bookkeeper[];

/** @returns what the program has against a journal; undefined if it accepts it */
export function objectionOf(program: Bookkeeper, file: string): string | undefined {
  const [command, ...args] = formats[program].check(file);
  const { status, stderr, stdout, error } = spawnSync(command!, args, {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C.UTF-8" },
  });
  if (error) throw error;
  return status === 0 && stderr === "" ? undefined : `${stderr}${stdout}`.slice(0, 2000) || `status ${status}`;
}
