import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ERRORS } from "../../functions/_shared/responses/error_registry.ts";
import { files, routine } from "../../scripts/structure/sql_source.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const readAll = (folder: string, wanted: (path: string) => boolean) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter(wanted)
    .map((path) => read(join(folder, path)))
    .join("\n");

const statuses = Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, String(status)]));

/** The codes and statuses in `app.fail`. */
const mappedInSql = Object.fromEntries(
  [...routine("app.fail").statement.matchAll(/when '(\w+)' then '(\d{3})'/g)].map(([, code, status]) => [code, status]),
);
const raisedInSql = files.flatMap(({ text }) => [...text.matchAll(/app\.fail\('(\w+)'/g)].map(([, code = ""]) => code));
const functionSources = readAll("functions", (path) => path.endsWith(".ts") && !path.endsWith("error_registry.ts"));
const usedInFunctions = [...functionSources.matchAll(/"(\w+)"/g)].map(([, code]) => code);

describe("error codes", () => {
  it("are raised in SQL only if app.fail has their status", () => {
    expect(raisedInSql.filter((code) => !(code in mappedInSql))).toEqual([]);
  });

  it("have the same status in app.fail and in the registry", () => {
    expect(mappedInSql).not.toEqual({});
    expect(statuses).toMatchObject(mappedInSql);
  });

  it("are all used in SQL or in the edge functions", () => {
    expect(Object.keys(mappedInSql).filter((code) => !raisedInSql.includes(code))).toEqual([]);
    expect(Object.keys(ERRORS).filter((code) => !raisedInSql.includes(code) && !usedInFunctions.includes(code))).toEqual([]);
  });

  it("are listed in the table of docs/errors.md", () => {
    const table = [...read("docs/errors.md").matchAll(/^\| `(\w+)` \| (\d+) \| (.+) \| (.+) \| (.+) \| (.+) \|$/gm)].map(
      ([, code, status, title, title_zh, hint, hint_zh]) => ({ code, status: Number(status), title, title_zh, hint, hint_zh }),
    );
    const registry = Object.entries(ERRORS).map(([code, { status, title, title_zh, hint, hint_zh }]) => ({
      code,
      status,
      title,
      title_zh,
      hint,
      hint_zh,
    }));
    expect(table).toEqual(registry);
  });
});
