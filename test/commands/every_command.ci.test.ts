import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";

const { scripts } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};
/** What people call. npm itself calls the others. */
const names = Object.keys(scripts).filter((name) => name !== "postinstall");

/** An empty folder instead of .local, which shows what a command writes. */
let local: string;
beforeAll(() => {
  local = mkdtempSync(join(tmpdir(), "store-command-"));
});
afterAll(() => rmSync(local, { recursive: true }));

/** The names and contents of the generated files. */
function generated(): string {
  const hash = createHash("sha256");
  for (const folder of ["supabase/migrations", "apps/client/types"]) {
    for (const name of readdirSync(join(projectRoot, folder)).sort())
      hash.update(name).update(readFileSync(join(projectRoot, folder, name)));
  }
  return hash.digest("hex");
}

function npm(name: string, ...args: string[]) {
  const [program, ...rest] = scripts[name]!.split(" ");
  const command = program === "node" ? process.execPath : join(projectRoot, "node_modules/.bin", program!);
  // No server listens at this address, so a command that ignores invalid arguments fails with another error.
  const env = {
    STORE_LOCAL_DIR: local,
    DATABASE_URL: "postgresql://supabase_admin:x@127.0.0.1:1/postgres",
    NO_COLOR: "1",
  };
  return runCommand(command, [...rest, ...args], { cwd: projectRoot, env });
}

describe.each(names)("npm run %s", (name) => {
  it("prints its help and does nothing else", async () => {
    const before = generated();
    const { code, output } = await npm(name, "--help");
    expect([code, output]).toEqual([0, expect.stringMatching(/^usage:/im)]);
    expect(output).toContain("--help");
    if (scripts[name]!.startsWith("node ")) {
      const summary = output.split("\n\n")[1]!.split("\n");
      const short = summary.filter(
        (line, i) => i + 1 < summary.length && `${line} ${summary[i + 1]!.split(" ")[0]}`.length <= 80,
      );
      expect(short).toEqual([]);
    }
    expect([readdirSync(local), generated()]).toEqual([[], before]);
  });

  // vite and oxfmt parse their own arguments and exit with 1.
  if (scripts[name]!.startsWith("node "))
    it("rejects an unknown option with status 2, names it and does nothing else", async () => {
      const before = generated();
      for (const args of [["--surprise"], ["no/such thing", "nor.this", "nor this"]]) {
        const { code, output } = await npm(name, ...args);
        expect([args, code, output]).toEqual([
          args,
          2,
          expect.stringMatching(/--surprise|no\/such thing|too many arguments/),
        ]);
        expect(output).not.toMatch(/^ +at /m);
      }
      expect([readdirSync(local), generated()]).toEqual([[], before]);
    });
});

it("ends quietly when the reader of its output leaves", async () => {
  const child = spawn(process.execPath, [...scripts.start!.split(" ").slice(1), "--help"], {
    cwd: projectRoot,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  let errors = "";
  child.stderr.on("data", (data) => {
    errors += data;
  });
  expect([await once(child, "close"), errors]).toEqual([[141, null], ""]);
});
