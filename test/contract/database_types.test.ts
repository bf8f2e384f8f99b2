import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { databaseTypes, databaseTypesFile } from "../../scripts/generate/database_types.ts";
import { cloneDatabase } from "../support/index.ts";

it("the committed database types match the migrations", async () => {
  const { url, drop } = await cloneDatabase();
  try {
    const types = await databaseTypes(url);
    expect(
      readFileSync(databaseTypesFile, "utf8") === types,
      `${databaseTypesFile} is out of date; run: npm run gen`,
    ).toBe(true);
  } finally {
    await drop();
  }
});
