import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { files } from "../../scripts/structure/sql_source.ts";

/** The tables that a row of docs/operations.md, "What is kept", names in its first cell. */
function listed(): string[] {
  const section = readFileSync(join(import.meta.dirname, "../../docs/operations.md"), "utf8")
    .split(/^## /m)
    .find((text) => text.startsWith("What is kept\n"))!;
  const rows = [...section.matchAll(/^\| (`.*?) \| (.+?) \| (.+?) \|$/gm)];
  return rows.flatMap(([, names]) => [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
}

it("docs/operations.md says of every table how it grows and how long its rows are kept, once", () => {
  const tables = files.flatMap(({ text }) =>
    [...text.matchAll(/^create (?:unlogged )?table app\.(\w+) \(/gm)].map(([, name]) => name!),
  );
  expect(tables.length).toBeGreaterThan(50);
  expect(listed().sort()).toEqual(tables.sort());
});
