import { describe, expect, it } from "vitest";
import { lacking } from "../../scripts/testing/context.ts";
import { cloneDatabase, connect, longFormOnly, seed, skipFor, testSize } from "../support/index.ts";
import { BREAKS, type Break } from "../../scripts/faults/breaks.ts";
import { describeReport } from "../../scripts/faults/report.ts";
import { runFaults } from "../../scripts/faults/run_faults.ts";

const names = Object.keys(BREAKS) as Break[];

// The breaks of the text of a function, which changes. That of durability changes a role of the whole server.
it.each(names.filter((name) => name !== "durability"))("the mechanism can be removed: %s", async (name) => {
  const database = await cloneDatabase();
  const sql = connect(database.url);
  try {
    await sql.unsafe(BREAKS[name].sql);
  } finally {
    await sql.end();
    await database.drop();
  }
});

skipFor(describe, longFormOnly ?? lacking("linux"))("the fault suite", { concurrent: false }, () => {
  for (const breaks of names) {
    it(`finds what is lost, double or wrong without: ${breaks}`, { timeout: 1_200_000 }, async () => {
      const report = await runFaults({
        seed: seed(),
        minutes: testSize.faultMinutes / 10,
        kills: 0,
        crashes: 0,
        breaks,
        show: () => undefined,
      });
      expect(report.lost.length + report.double.length + report.wrong.length, describeReport(report)).toBeGreaterThan(
        0,
      );
    });
  }
});
