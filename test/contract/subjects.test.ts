import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const namesIn = (path: string) => readdirSync(join(root, path)).map((name) => basename(name, ".ts"));

/** Folders of supabase/tests that test the whole database, or help its tests. */
const wholeDatabase = ["functions", "query_plans", "regressions", "schema", "support"];

/** The folders of the database tests name the subjects of the store. */
const subjects = new Set(namesIn("supabase/tests").filter((name) => !wholeDatabase.includes(name)));

/** Names that are no subject of supabase/tests. */
const others: Record<string, string[]> = {
  "functions/adminapi/routes": ["article_categories", "member_history", "product_categories", "withdrawal_batches"],
};

it.each([
  "apps/console/src/pages",
  "apps/h5/src/pages",
  "functions/api/routes",
  "functions/adminapi/routes",
  "functions/mcp/routes",
  "functions/picture/routes",
  "functions/poster/routes",
  "functions/worker/routes",
])("%s has the subjects of supabase/tests", (path) => {
  expect(namesIn(path).filter((name) => !subjects.has(name))).toEqual(others[path] ?? []);
});
