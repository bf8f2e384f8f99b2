import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ERRORS } from "../../functions/_shared/responses/error_codes.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { files } from "../../scripts/structure/sql_source.ts";

const raisedInSql = files.flatMap(({ text }) => [...text.matchAll(/app\.fail\('(\w+)'/g)].map(([, code = ""]) => code));
const usedInFunctions = readdirSync(join(projectRoot, "functions"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.endsWith("error_codes.ts"))
  .flatMap((path) =>
    [...readFileSync(join(projectRoot, "functions", path), "utf8").matchAll(/"(\w+)"/g)].map(([, code]) => code),
  );

describe("error codes", () => {
  it("are raised in SQL only if there is such a code", () => {
    expect(raisedInSql.length).toBeGreaterThan(100);
    expect(raisedInSql.filter((code) => !(code in ERRORS))).toEqual([]);
  });

  it("are all used in SQL or in the edge functions", () => {
    expect(
      Object.keys(ERRORS).filter((code) => !raisedInSql.includes(code) && !usedInFunctions.includes(code)),
    ).toEqual([]);
  });
});
