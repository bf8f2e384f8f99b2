import { relative } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { pgTapFiles, runPgTap } from "../../scripts/mutation/pgtap.ts";
import { testContext } from "../../scripts/testing/context.ts";
import { cloneDatabase, connect, longFormOnly } from "../support/index.ts";
import { PLANNER_SETTINGS } from "../../scripts/testing/planner.ts";

// Results must not depend on the plans that Postgres chooses. One session runs all files, which takes seconds and not
// minutes.
const booked = ["supabase/tests/settlement", "supabase/tests/refunds"];
const files = pgTapFiles().filter(
  ({ path }) => longFormOnly === undefined || booked.some((folder) => !relative(folder, path).startsWith("..")),
);

describe.each(PLANNER_SETTINGS)("with %s off", (off) => {
  it(
    "the tests in SQL pass: those of settlements and refunds, in the long form all that one session can run",
    { timeout: 1_800_000 },
    async () => {
      vi.stubEnv("STORE_TEST_CONTEXT", JSON.stringify({ ...testContext(), plannedWithout: off }));
      const clone = await cloneDatabase();
      const sql = connect(clone.url);
      try {
        // A copy of a database has no privileges of its own: what the migrations revoke there is revoked again.
        await sql`do $$ begin execute format('revoke temporary on database %I from public', current_database()); end $$`;
        expect(await sql.unsafe(`show ${off}`)).toEqual([{ [off]: "off" }]);
        expect(files.length).toBeGreaterThan(50);
        const failures: string[] = [];
        for (const file of files) {
          const { failure } = await runPgTap(sql, file);
          if (failure) failures.push(`${file.path}: ${failure.detail}`);
        }
        expect(failures).toEqual([]);
      } finally {
        await sql.end();
        await clone.drop();
      }
    },
  );
});
