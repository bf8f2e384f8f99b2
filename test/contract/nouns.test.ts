import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const namesIn = (path: string) => readdirSync(join(root, path)).map((name) => basename(name, ".ts"));

/** The folders of the internal functions have one noun for each subject of the store. */
const nouns = new Set(namesIn("sql/4_app"));

/** Names that are no noun of sql/4_app. CONTRIBUTING names them. */
const others: Record<string, string[]> = {
  "functions/adminapi/routes": ["article_categories", "member_history"],
  "test/db": ["functions", "query_plans", "regressions", "schema", "support"],
};

it.each([
  "sql/5_api", "test/db", "console/src/pages", "h5/src/pages",
  "functions/api/routes", "functions/adminapi/routes", "functions/poster/routes", "functions/worker/routes",
])("%s has the nouns of sql/4_app", (path) => {
  expect(namesIn(path).filter((name) => !nouns.has(name))).toEqual(others[path] ?? []);
});
