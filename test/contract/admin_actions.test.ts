import { readFileSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillSentence } from "../../apps/console/src/pages/actions/fill_sentence.ts";
import { en } from "../../apps/console/src/i18n/en/index.ts";
import { zh } from "../../apps/console/src/i18n/zh/index.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { files } from "../../scripts/structure/sql_source.ts";
import { type ClonedDatabase, cloneDatabase, connect, rolledBack } from "../support/index.ts";
import { type DatabaseFunction, statementOf, loadFixture } from "./bad_arguments/calls.ts";
import { type Ids, validCalls } from "./bad_arguments/valid_calls.ts";

// Executes every administrative write once with known arguments. The action log must contain what changed, but none of
// the texts that people entered.

/** Texts that are settings, one of a few words, or about a parcel, which are recorded. */
const SETTINGS: Record<string, string[]> = {
  "api.set_settings": [
    "p_time_zone",
    "p_site_name",
    "p_h5_share_url",
    "p_logo",
    "p_colour",
    "p_contact_phone",
    "p_contact_wechat",
    "p_contact_hours",
    "p_poster_design",
    "p_tax_method",
    "p_tax_from",
    "p_real_name_check",
  ],
  "api.create_tax_allowance": ["p_month"],
  "api.record_person_request": ["p_kind"],
  "api.answer_person_request": ["p_state"],
  "api.explain_finding": ["p_check_name", "p_subject"],
  "api.create_withdrawal_batch": ["p_method"],
  "api.decide_real_name": ["p_state"],
  "api.deliver_order": ["p_carrier", "p_tracking_no"],
  "api.deliver_orders": ["p_carrier"],
  "api.add_parcel": ["p_carrier", "p_tracking_no"],
  "api.set_parcel": ["p_carrier", "p_tracking_no"],
  "api.create_carrier": ["p_code", "p_name", "p_name_zh", "p_tracking_url"],
  "api.set_carrier": ["p_code", "p_name", "p_name_zh", "p_tracking_url"],
  "api.set_own_notices": ["p_language"],
  "api.set_message_settings": ["p_quiet_from", "p_quiet_until"],
  "api.set_own_views": ["p_page"],
  "api.set_crontab": ["p_name", "p_schedule"],
  "api.run_crontab": ["p_name"],
};

let clone: ClonedDatabase;
let sql: postgres.Sql;
let functions: DatabaseFunction[];
let ids: Ids;

beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url);
  ({ functions, ids } = await loadFixture(sql));
  // A cloned database has no pg_cron.
  await sql.unsafe(readFileSync(join(projectRoot, "scripts/postgres/platform/04_cron_stand_in.sql"), "utf8"));
  // What waits has failed before, so that a retry changes something.
  await sql`update app.settlement_jobs set attempts = 1`;
  await sql`update app.outbox set attempts = 1`;
  await sql`grant store_api to postgres`;
});

afterAll(async () => {
  await sql.end();
  await clone.drop();
});

const calls = Object.keys(validCalls({})).filter((name) => validCalls({})[name]!.by === "admin");

/** Returns what a call records, and rolls it back. */
async function recordOf(name: string) {
  const target = functions.find((each) => each.name === name)!;
  const valid = validCalls(ids)[name]!;
  const actions = await rolledBack(sql, async (transaction): Promise<Record<string, unknown>[]> => {
    await transaction.unsafe(...statementOf(target, valid, valid.args, ids));
    await transaction`reset role`;
    return [
      ...(await transaction`
        select a.*, app.action_subject_json(a.target_type, a.target_id) as subject from app.admin_actions as a where a.function <> 'add_administrator'`),
    ];
  });
  return { actions, target, args: valid.args };
}

const functionNames = [
  ...new Set(
    [
      ...files
        .map(({ text }) => text)
        .join("\n")
        .matchAll(/record_(?:\w+_)?action\(\s*'(\w+)'/g),
    ].map(([, name]) => name!),
  ),
].sort();

/** What a sentence names. */
const parametersOf = (sentence: string) =>
  [...sentence.matchAll(/<(\w+)\/>|\{\{(\w+)\}\}/g)].map(([, tag, value]) => tag ?? value!).sort();

describe("the sentences of the action log", () => {
  it("are there for each action that the database records, with its name for the filter, in both languages", () => {
    expect(functionNames.length).toBeGreaterThan(40);
    for (const texts of [en.actions, zh.actions]) {
      expect(Object.keys(texts.sentences).sort()).toEqual(functionNames);
      expect(Object.keys(texts.functions).sort()).toEqual(functionNames);
    }
  });

  it("name the same things in both languages, and who acted first", () => {
    for (const [name, sentence] of Object.entries(en.actions.sentences)) {
      expect(parametersOf(zh.actions.sentences[name as "set_settings"]), name).toEqual(parametersOf(sentence));
      expect(sentence.startsWith("<who/> "), name).toBe(true);
      expect(
        parametersOf(sentence).filter((parameter) => !["who", "target", "member", "amount"].includes(parameter)),
        name,
      ).toEqual([]);
    }
  });
});

describe("the sentences of an exported log", () => {
  it("show a name as it is, whatever it looks like", () => {
    const parts = { who: "Eve <target/> $& $'", target: "1 <member/>", member: "$1" };
    expect(fillSentence("<who/> refunded <target/> of <member/>", parts)).toBe(
      "Eve <target/> $& $' refunded 1 <member/> of $1",
    );
  });
});

describe("the action log of administrators", () => {
  it.each(calls)(
    "records %s once if it writes, with the administrator, the target and what changed, and without the texts of its arguments",
    async (name) => {
      const { actions, target, args } = await recordOf(name);
      const [{ writes } = { writes: false }] =
        await sql`select provolatile = 'v' as writes from pg_proc where pronamespace = 'api'::regnamespace and proname = ${name.slice(4)}`;
      expect(actions.map((action) => [action.function, action.actor])).toEqual(
        writes ? [[name.slice(4), ids.admin_account]] : [],
      );
      for (const { target_type, target_id, from_value, to_value } of actions) {
        // There is one set of settings, and one first page.
        expect([target_type, target_id === null]).toEqual([
          target_type,
          ["settings", "first_page"].includes(target_type as string),
        ]);
        const [from, to] = [from_value ?? {}, to_value ?? {}] as [Record<string, unknown>, Record<string, unknown>];
        const keys = Object.keys({ ...from, ...to });
        expect(keys.length).toBeGreaterThan(0);
        expect(keys.filter((key) => JSON.stringify(from[key]) === JSON.stringify(to[key]))).toEqual([]);
      }
      // The sentence of the action names what is known of the target.
      for (const { subject, target_id } of actions as {
        subject: Record<string, unknown>;
        target_id: string | null;
      }[]) {
        const named = parametersOf(en.actions.sentences[name.slice(4) as "set_settings"]);
        if (named.includes("member")) expect(subject.nickname).toBeTruthy();
        if (named.includes("amount")) expect(subject.amount).toMatch(/^\d+\.\d\d$/);
        if (named.includes("target") && target_id !== null) expect(subject.name).toBeTruthy();
      }
      const recorded = JSON.stringify(actions.map(({ from_value, to_value }) => [from_value, to_value]));
      const texts = Object.entries(target.parameters)
        .filter(([parameter, type]) => type === "text" && !SETTINGS[name]?.includes(parameter))
        .map(([parameter]) => args[parameter]);
      for (const text of [...texts, "buyer", "Maker", "创客"]) {
        if (typeof text === "string") expect(recorded).not.toContain(text);
      }
    },
  );
});
