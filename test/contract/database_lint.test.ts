import { expect, it } from "vitest";
import { runSupabaseCli } from "../../scripts/postgres/migrations.ts";
import { stack } from "../support/index.ts";

// Uses the database of the stack, which has pg_cron and the migration history, like a hosted project.
it("the database has no error that fails `supabase db lint` in CI", async () => {
  const { code, output } = await runSupabaseCli([
    "db",
    "lint",
    `--remote=${stack().database_url}`,
    "--schema",
    "app,api",
    "--level",
    "error",
    "--fail-on",
    "error",
  ]);
  expect(code, output).toBe(0);
});
