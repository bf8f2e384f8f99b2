import { readFileSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { en } from "../../apps/console/src/i18n/en/index.ts";
import { zh } from "../../apps/console/src/i18n/zh/index.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { type ClonedDatabase, cloneDatabase, connect, rolledBack } from "../support/index.ts";

interface Schema {
  type?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMaximum?: number;
  "x-minimum"?: string;
  "x-maximum"?: string;
}

const folder = join(projectRoot, "apps/console/src/pages/settings");
const schemas = JSON.parse(readFileSync(join(folder, "setting_fields.json"), "utf8")) as Record<string, Schema>;
const table = readFileSync(join(folder, "settings_table.ts"), "utf8");
const groups = /export const groups = \{([^]*?)\n\} as const/.exec(table)![1]!;
const shown = [...groups.matchAll(/"(\w+)"/g)].map(([, name]) => name!);

let clone: ClonedDatabase;
let sql: postgres.Sql;
beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url);
});
afterAll(async () => {
  await sql.end();
  await clone.drop();
});

/** Whether the database takes a value of a setting: its code of the rejection, or nothing. */
const rejection = (name: string, value: number | string) =>
  rolledBack(sql, async (transaction) => {
    await transaction`insert into auth.users (id, email, email_confirmed_at, role) values ('00000000-0000-4000-8000-0000000000e1', 'owner@example.com', now(), 'store_admin')`;
    await transaction`select app.add_administrator('owner@example.com')`;
    await transaction`select set_config('request.jwt.claims', '{"role": "store_admin", "sub": "00000000-0000-4000-8000-0000000000e1"}', true)`;
    await transaction.unsafe("savepoint before");
    try {
      await transaction.unsafe(`select api.set_settings(p_${name} => ${value})`);
      return undefined;
    } catch (error) {
      await transaction.unsafe("rollback to before");
      return (error as Error).message;
    }
  });

it("each setting that can be changed is once on the page, with a name and what it does in both languages", () => {
  expect([...shown].sort()).toEqual(Object.keys(schemas).sort());
  for (const { settings } of [en, zh]) {
    expect(Object.keys(settings.fields).sort()).toEqual(Object.keys(schemas).sort());
    for (const [name, { label, hint }] of Object.entries(settings.fields)) expect([label, hint].includes(""), name).toBe(false);
  }
});

const steps: Record<string, number> = { integer: 1, number: 0.01 };
const bounds = Object.entries(schemas).flatMap(([name, schema]): [string, string | number, string | number][] => {
  const { minimum, maximum, exclusiveMaximum, "x-minimum": least, "x-maximum": most } = schema;
  const step = steps[schema.type ?? ""] ?? 0.01;
  if (least !== undefined && most !== undefined)
    return [
      [name, least, (Number(least) - 0.01).toFixed(2)],
      [name, most, (Number(most) + 0.01).toFixed(2)],
    ];
  if (minimum === undefined) return [];
  return [
    [name, minimum, minimum - step],
    exclusiveMaximum === undefined ? [name, maximum!, maximum! + step] : [name, exclusiveMaximum - 0.000_01, exclusiveMaximum],
  ];
});

it("some settings have bounds", () => expect(bounds.length).toBeGreaterThan(30));

it.each(bounds)("the database takes %s of %s and rejects %s, as the page says", async (name, taken, rejected) => {
  expect([await rejection(name, taken), await rejection(name, rejected)]).toEqual([undefined, "invalid_argument"]);
});

it("the settings of a new store are those of its row, and a change names who made it last", async () => {
  const found = await rolledBack(sql, async (transaction) => {
    await transaction`insert into auth.users (id, email, email_confirmed_at, role) values ('00000000-0000-4000-8000-0000000000e1', 'owner@example.com', now(), 'store_admin')`;
    await transaction`select app.add_administrator('owner@example.com', '{owner}', 'Wang Fang')`;
    await transaction`select set_config('request.jwt.claims', '{"role": "store_admin", "sub": "00000000-0000-4000-8000-0000000000e1"}', true)`;
    const [{ before } = { before: undefined }] = await transaction`select app.settings_json(s) as before from app.settings as s`;
    await transaction`select api.set_settings(p_receipt_days => 9), api.set_settings(p_receipt_days => 10)`;
    const [{ history } = { history: undefined }] = await transaction`select api.get_settings_history() as history`;
    return { before, history };
  });
  expect(found.history.presets).toEqual(found.before);
  expect(found.history.changes).toMatchObject({ receipt_days: { by: { nickname: "Wang Fang" } } });
  expect(Object.keys(found.history.changes as object)).toEqual(["receipt_days"]);
});
