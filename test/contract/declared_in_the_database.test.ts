import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { z } from "zod";
import { adminDefinition } from "../../functions/adminapi/app.ts";
import { apiDefinition } from "../../functions/api/app.ts";
import { DECLARED_SETTINGS } from "../../functions/_shared/resources/declared_settings.ts";
import { SORT_KEYS } from "../../functions/_shared/resources/sort_keys.ts";
import { VALUE_LISTS } from "../../functions/_shared/ground/value_lists.ts";
import { billTypes } from "../../scripts/generate/bill_types.ts";
import { declaredSettings } from "../../scripts/generate/declared_settings.ts";
import { errorCodes } from "../../scripts/generate/error_codes.ts";
import { scheduledJobs } from "../../scripts/generate/scheduled_jobs.ts";
import { sortKeys } from "../../scripts/generate/sort_keys.ts";
import { valueLists } from "../../scripts/generate/value_lists.ts";
import { cloneDatabase } from "../support/index.ts";

it("error codes, types of bill rows, settings, values of columns, sort keys and scheduled jobs are those of the database in code and documents", async () => {
  const { url, drop } = await cloneDatabase();
  try {
    for (const { path, content } of [
      ...(await errorCodes(url)),
      ...(await billTypes(url)),
      ...(await declaredSettings(url)),
      await valueLists(url),
      await sortKeys(url),
      await scheduledJobs(url),
    ])
      expect(readFileSync(path, "utf8") === content, `${path} is out of date; run: npm run gen`).toBe(true);
  } finally {
    await drop();
  }
});

it("each setting has one row, with a name and what it does in both languages", () => {
  const names = DECLARED_SETTINGS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, title, title_zh, hint, hint_zh } of DECLARED_SETTINGS)
    expect(
      [title, title_zh, hint, hint_zh].map((text: string) => text.trim()),
      name,
    ).not.toContain("");
});

it("choices of settings are the values of what they choose", () => {
  const choices = Object.fromEntries(
    DECLARED_SETTINGS.map((setting) => [setting.name, "choices" in setting ? setting.choices : []]),
  );
  expect(choices.poster_design).toEqual(VALUE_LISTS["products.poster_design"]);
  expect(choices.withdrawal_methods).toEqual(VALUE_LISTS["withdrawals.method"]);
  expect(choices.second_factor_areas).toEqual(VALUE_LISTS["role_areas.area"]);
});

it("each list that can be sorted takes the sort keys of its function", () => {
  const taken = [...apiDefinition.routes, ...adminDefinition.routes].flatMap(({ calls, request }) => {
    const { sort } = request.query.shape;
    return sort ? [[calls, (sort as z.ZodOptional<z.ZodEnum>).unwrap().options]] : [];
  });
  expect(Object.fromEntries(taken)).toEqual(
    Object.fromEntries(
      Object.entries(SORT_KEYS).map(([name, { keys }]) => [name, [...keys, ...keys.map((key) => `-${key}`)]]),
    ),
  );
});
