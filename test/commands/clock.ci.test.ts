import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { clockEnvironment, clockOfRun, findFakeClock, withoutFunctions } from "../../scripts/checks/clock.ts";
import { run } from "./run.ts";
import { skipFor } from "../support/index.ts";

const library = findFakeClock();

describe("npm test -- --clock", () => {
  it.each(["2027-02-29", "2027-3-1", "2027-03-01T24:30", "tomorrow"])("rejects %s", async (day) => {
    expect(await run("test", ["--clock", day, "supabase/tests/rules"])).toMatchObject({
      code: 2,
      output: expect.stringContaining("It must be a date such as 2027-03-01, or a date and a time"),
    });
  });

  it("does not begin on the server of DATABASE_URL, whose clock is its own", async () => {
    const { code, output } = await run("test", ["--clock", "2028-02-29", "supabase/tests/rules"], {
      DATABASE_URL: "postgresql://nobody@127.0.0.1:1/store",
      STORE_TEST_CLOCK: "",
    });
    expect([code, output]).toEqual([1, expect.stringContaining("Unset DATABASE_URL")]);
  });
});

skipFor(
  describe,
  library === undefined
    ? "this machine lacks libfaketime"
    : clockOfRun === undefined
      ? undefined
      : "the run itself is on another day",
)("the environment of another day", () => {
  const inEnvironment = (program: string) => {
    const folder = mkdtempSync(join(tmpdir(), "clock-"));
    try {
      const { stdout } = spawnSync(process.execPath, ["-e", program], {
        encoding: "utf8",
        env: { ...process.env, ...clockEnvironment(library!, folder, "2028-02-29") },
      });
      return stdout.trim();
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  it("lets a process take it for today, at the present time of day", () => {
    const before = Date.now();
    const there = Date.parse(inEnvironment("console.log(new Date().toISOString())"));
    expect(new Date(there).toISOString()).toMatch(/^2028-02-29|^2028-03-01T00:00/);
    expect((there - before) % 86_400_000).toBeLessThan(60_000);
  });

  it("leaves durations as they are", () => {
    expect(
      Number(inEnvironment("const at = Date.now(); setTimeout(() => console.log(Date.now() - at), 300)")),
    ).toBeGreaterThanOrEqual(299);
  });

  it("takes only the named functions out of the library", () => {
    const elf = readFileSync(library!);
    const changed = withoutFunctions(elf, ["poll", "epoll_wait"]);
    const differences = [...elf.keys()].filter((at) => elf[at] !== changed[at]);
    expect(differences.length).toBeGreaterThan(0);
    // Section, value and size of two symbols.
    expect(differences.length).toBeLessThanOrEqual(2 * 10);
    expect(withoutFunctions(elf, ["no_such_function"]).equals(elf)).toBe(true);
  });
});
