import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { declaredSettings } from "../../scripts/generate/declared_settings.ts";
import { errorCodes } from "../../scripts/generate/error_codes.ts";
import { valueLists } from "../../scripts/generate/value_lists.ts";
import { cloneDatabase } from "../support/index.ts";

it("error codes, settings and values of columns are those of the database in code and documents", async () => {
  const { url, drop } = await cloneDatabase();
  try {
    for (const { path, content } of [...(await errorCodes(url)), ...(await declaredSettings(url)), await valueLists(url)])
      expect(readFileSync(path, "utf8") === content, `${path} is out of date; run: npm run gen`).toBe(true);
  } finally {
    await drop();
  }
});
