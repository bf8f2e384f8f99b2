import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Programs of Postgres, pgTAP and of Debian's package manager. */
const hidden = /^(pg_\w+|psql|pgbench|apt|apt-\w+)$/;

/** A folder for PATH with all programs of this machine but those that Debian's packages of Postgres bring, and apt. */
export function barePath(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "store-path-"));
  const folders = [...new Set([dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"])];
  for (const folder of folders) {
    for (const name of readdirSync(folder)) {
      if (hidden.test(name)) continue;
      try {
        symlinkSync(join(folder, name), join(path, name));
      } catch {
        // An earlier folder has a program of the same name.
      }
    }
  }
  return { path, remove: () => rmSync(path, { recursive: true }) };
}
