import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engineModules } from "../../scripts/mutation/engine.ts";
import { lacking } from "../../scripts/testing/context.ts";
import { skipFor } from "../support/skip.ts";
import { type CommandPlace, newCommandPlace } from "../../scripts/testing/command.ts";
import { run } from "./run.ts";

describe("npm run mutate", () => {
  it("lists mutants with their place and their change", async () => {
    const { code, output } = await run("mutate", ["--list", "--only", "umbrella_share"]);
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^ +1 {2}06_plans\/rules_of_plans_and_levels\/umbrella_share:\d+:\d+ function/),
    ]);
    expect(output).toContain("select greatest(p_umbrella_points + p_passed_on, 0)");
  });

  it("takes a random sample of each module", async () => {
    const linesOf = async (seed: string) =>
      (await run("mutate", ["--list", "--percent", "1", "--seed", seed])).output.match(/^ +\d+ {2}\S+/gm)!;
    const [one, again, other] = [await linesOf("1"), await linesOf("1"), await linesOf("2")];
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
    expect(new Set(one.map((line) => line.trim().split(/[ /]+/)[1]))).toEqual(new Set(engineModules));
  });

  it.each([
    [["--percent", "0"], "'0' is invalid"],
    [["--only", "nothing"], "It must be a function of the engine, or one of: 01_ground, 02_settings"],
    [["--operator", "nothing"], "Allowed choices are comparison, arithmetic"],
    [["--from", "0"], "'0' is invalid"],
    [["--surprise"], "--surprise"],
  ])("rejects %j", async (args, message) => {
    expect(await run("mutate", args)).toMatchObject({ code: 2, output: expect.stringContaining(message) });
  });
});

// The complete run takes hours: docs/mutation.md has its result.
skipFor(describe, lacking("pgtap"))("npm run mutate over a few mutants", () => {
  const chosen = [
    ...["umbrella_share", "amount_left", "money_of_points", "use_points"].flatMap((name) => ["--only", name]),
    ...["arithmetic", "function", "lock"].flatMap((name) => ["--operator", name]),
  ];
  const tests = ["rules", "checkout/create_order", "checkout/decide_points"].flatMap((folder) => [
    "--tests",
    `supabase/tests/${folder}`,
  ]);
  let place: CommandPlace;
  beforeAll(async () => {
    place = await newCommandPlace();
  });
  afterAll(() => place.remove());

  it("kills all of them, and keeps the results for the next run", async () => {
    const first = await run("mutate", [...chosen, ...tests], place.environment);
    expect([first.code, first.output]).toEqual([
      0,
      expect.stringMatching(/^\d+ tried, (\d+) killed \(100\.0 %\), 0 survived/m),
    ]);
    const second = await run("mutate", [...chosen, ...tests], place.environment);
    expect([second.code, second.output]).toEqual([0, expect.stringContaining("of which 0 are to be tried")]);
    expect(second.output.trim().split("\n").at(-1)).toBe(first.output.trim().split("\n").at(-1));
  });
});
