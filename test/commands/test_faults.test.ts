import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runFaults } from "../../scripts/faults/run_faults.ts";

/** A folder in which programs are looked for. Those of this machine are hidden, and nothing is installed. */
let folder: string;

vi.mock("node:fs", async (original) => {
  const actual = await original<typeof fs>();
  const existsSync = (path: string) =>
    String(path).endsWith("/pgbouncer") && !String(path).startsWith(folder) ? false : actual.existsSync(path);
  return { ...actual, existsSync };
});
vi.mock("../../scripts/ground/debian_packages.ts", () => ({ canInstallPackages: () => false, apt: vi.fn() }));
vi.mock("../../scripts/faults/run_faults.ts", () => ({
  runFaults: vi.fn(() => Promise.reject(new Error("no faults in this test"))),
}));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "programs-"));
  vi.stubEnv("PATH", folder);
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  vi.resetModules();
  vi.mocked(runFaults).mockClear();
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** Runs the command in this process. @returns what it printed as an error, and its exit status */
async function testFaults(): Promise<{ code: unknown; problem: string }> {
  const [before, argv] = [process.exitCode, process.argv];
  const problem = vi.spyOn(console, "error").mockImplementation(() => undefined);
  process.argv = [argv[0]!, "test_faults.ts"];
  try {
    await import("../../scripts/commands/test_faults.ts");
    return { code: process.exitCode, problem: problem.mock.calls.flat().join("\n") };
  } finally {
    [process.exitCode, process.argv] = [before, argv];
  }
}

describe("npm run test:faults", () => {
  it("names PgBouncer and fails before any fault, if it is missing", async () => {
    const { code, problem } = await testFaults();
    expect([code, problem]).toEqual([2, expect.stringContaining("PgBouncer is not installed.")]);
    expect(problem).toContain("apt-get install pgbouncer");
    expect(runFaults).not.toHaveBeenCalled();
  });

  it("begins with PgBouncer, wherever it is", async () => {
    writeFileSync(join(folder, "pgbouncer"), "");
    expect((await testFaults()).problem).toContain("no faults in this test");
    expect(runFaults).toHaveBeenCalledOnce();
  });
});
