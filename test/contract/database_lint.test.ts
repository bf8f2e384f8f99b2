import { expect, it } from "vitest";
import { runSupabaseCli } from "../../scripts/stack/migrations.ts";
import { stack } from "../support/index.ts";

// The database of the stack, which has pg_cron and the history of migrations as a hosted one does.
it("the database has no error that `supabase db lint` would stop the workflow for", async () => {
  const { code, output } = await runSupabaseCli(["db", "lint", `--remote=${stack().database_url}`, "--schema", "app,api", "--level", "error", "--fail-on", "error"]);
  expect(code, output).toBe(0);
});
