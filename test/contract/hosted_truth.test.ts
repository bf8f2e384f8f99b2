import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";

const read = (path: string) => readFileSync(join(projectRoot, path), "utf8");

/** The rows of the table in docs/deploy.md, each with its cells. */
const rows = read("docs/deploy.md")
  .split("## What the local stack emulates\n")[1]!
  .split("\n## ")[0]!
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  .slice(2);
const pathsIn = (cell: string) =>
  [...cell.matchAll(/`((?:test|supabase|scripts|functions)\/[^`]+)`/g)].map(([, path]) => path!);

/** The jobs of the workflow that run `supabase start`, and the paths of the tests that they run. */
const job = read(".github/workflows/ci.yml").split(/^ {2}supabase:\n/m)[1]!;
const tested = [
  ...(job.includes("supabase test db\n") ? ["supabase/tests"] : []),
  ...(job.includes("supabase functions serve ") ? ["supabase/functions"] : []),
  // Without a path, those of the API.
  ...[...job.matchAll(/npm test -- --supabase status\.env ?(\S*)$/gm)].map(([, path]) => path || "test/api"),
];

describe("the table of what the local stack emulates", () => {
  it("has each part of Supabase that the store uses", () => {
    const parts = [
      "Auth",
      "Data API",
      "Storage",
      "Edge runtime",
      "Pooler",
      "pg_net",
      "Vault",
      "pg_cron",
      "Postgres",
      "Management API",
    ];
    expect(rows.map(([part]) => part!).sort()).toEqual(parts.sort());
  });

  it.each(rows.map((row) => [row[0]!, row] as const))(
    "says for %s what stands in for it and how that is tested, by files that exist",
    (_part, row) => {
      expect(row).toHaveLength(4);
      expect(pathsIn(row.join(" ")).filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
      expect(pathsIn(row[1]!).length + pathsIn(row[3]!).length).toBeGreaterThan(0);
    },
  );

  it("names as tests of the workflow what the workflow runs with `supabase start`, and forgets none", () => {
    expect(job).toContain("run: npx supabase start");
    expect(tested.length).toBeGreaterThan(1);
    const named = rows.flatMap((row) => pathsIn(row[3]!));
    expect(named.filter((path) => !tested.some((run) => path === run || path.startsWith(`${run}/`)))).toEqual([]);
    expect(tested.filter((path) => !named.includes(path))).toEqual([]);
    for (const row of rows) expect(row[3], row[0]).toMatch(/^none$|`(?:test\/|supabase\/(?:tests|functions))/);
  });
});

describe("the workflow that deploys", () => {
  it("gives the command every setting that its help names, and only those", () => {
    const help = read("scripts/commands/deploy.ts").match(/notes: `([^]*?)`,\n/)![1]!;
    const settings = [...help.matchAll(/^([A-Z][A-Z0-9_]+) {2}/gm)].map(([, name]) => name!);
    const given = [...read(".github/workflows/deploy.yml").matchAll(/^ {10}([A-Z0-9_]+): \$\{\{/gm)].map(
      ([, name]) => name!,
    );
    expect(settings.length).toBeGreaterThan(4);
    expect(given.filter((name) => !["STORE_ENV", "SUPABASE_PROJECT_REF"].includes(name)).sort()).toEqual(
      settings.sort(),
    );
  });
});
