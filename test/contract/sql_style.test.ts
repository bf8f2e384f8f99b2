import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { files, routines, type SqlFile } from "./sql_source.ts";

// Checks the rules for sql/ that can be checked in the text of its files. CONTRIBUTING.md explains them.

/** Files that do not create exactly one object with the name of the file. */
const OTHER_FILES = new Map([
  ["1_schema/01_roles.sql", "roles belong to the cluster and may already exist"],
  ["1_schema/02_schemas.sql", "three schemas, two of which share their default privileges"],
  ["1_schema/03_temporary_objects.sql", "a revoke on the database"],
  ["4_app/access/policies.sql", "the policies that need app.current_uid, side by side"],
  ["6_initial_state/defaults.sql", "data"],
  ["6_initial_state/schedule.sql", "data"],
]);

/** Objects that belong to a table and are created in its file. */
const PARTS_OF_TABLES = new Map([
  ["order_no_seq", "orders"],
  ["withdrawal_no_seq", "withdrawals"],
  ["user_bill_id_seq", "user_bill"],
  ["user_bill_default", "user_bill"],
  ["admin_actions_id_seq", "admin_actions"],
  ["admin_actions_default", "admin_actions"],
  ["points_release_log_id_seq", "points_release_log"],
  ["points_release_log_default", "points_release_log"],
]);

/** Functions longer than 70 lines, with the reasons. */
const LONG_FUNCTIONS = new Map([
  ["app.decide_cycles", "one pure loop over orders, whose state is every cycle so far"],
  ["app.decide_levels", "one pure loop over events, whose state is every member so far"],
  ["app.reconcile_counters", "one statement, a chain of sums over the same members"],
  ["app.release_frozen_points", "one loop that commits, whose state is the members that are left to retry"],
  ["app.reconcile_cycles", "one statement, whose five findings share the places and cycles that it reads once"],
  ["app.import_order_rows", "one statement, which writes orders and their lines together, so that each line knows its order"],
]);

const LINES_OF_A_SCREEN = 70;

/** The object name in a file name, without the number that orders the files of a folder. */
const nameOf = (path: string) => basename(path, ".sql").replace(/^\d+_/, "");

function objects(text: string): { kind: string; name: string }[] {
  const pattern = /^create (?:or replace |unlogged )?(function|procedure|table|view|materialized view|type|domain|sequence) (?:app|api)\.(\w+)/gm;
  return [...text.matchAll(pattern)].map(([, kind, name]) => ({ kind: kind!, name: name! }));
}

const fails = (rule: (file: SqlFile) => boolean) => files.filter(rule).map(({ path }) => path);

describe("a file of sql/", () => {
  it("creates the one object that it is named after", () => {
    expect(
      fails(({ path, text }) => {
        const created = objects(text).filter(({ name }) => PARTS_OF_TABLES.get(name) !== nameOf(path));
        return OTHER_FILES.has(path) ? created.length > 0 : created.length !== 1 || created[0]!.name !== nameOf(path);
      }),
    ).toEqual([]);
  });

  it("comments on every function, procedure, table, view, type and sequence that it creates", () => {
    expect(
      fails(({ path, text }) =>
        objects(text).some(({ kind, name }) => {
          const belongsToTable = PARTS_OF_TABLES.get(name) === nameOf(path) && !name.endsWith("_no_seq");
          return !belongsToTable && !new RegExp(`^comment on ${kind} (?:app|api)\\.${name}(?:\\(.*\\))? is\\s+'\\S`, "m").test(text);
        }),
      ),
    ).toEqual([]);
  });

  it("comments on a function right after its body", () => {
    expect(fails(({ text }) => routines(text).some(({ kind, name, statement }) => !text.includes(`${statement}\n\ncomment on ${kind} ${name} `)))).toEqual([]);
  });

  it("states the volatility of every function", () => {
    expect(fails(({ text }) => routines(text).some(({ kind, header }) => kind === "function" && !/^(volatile|stable|immutable)\b/m.test(header)))).toEqual([]);
  });

  it("contains no list of callers, which would become outdated", () => {
    expect(fails(({ text }) => /^\s*--.*\bcallers?:/im.test(text))).toEqual([]);
  });

  it("uses the term idempotent", () => {
    expect(fails(({ text }) => /^\s*--.*\bsafe twice\b/im.test(text))).toEqual([]);
  });

  it("has no function longer than 70 lines", () => {
    const long = files.flatMap(({ text }) => routines(text)).filter(({ statement }) => statement.split("\n").length > LINES_OF_A_SCREEN);
    expect(long.map(({ name }) => name).filter((name) => !LONG_FUNCTIONS.has(name))).toEqual([]);
    expect([...LONG_FUNCTIONS.keys()].filter((name) => !long.some((routine) => routine.name === name))).toEqual([]);
  });
});

describe("the exceptions", () => {
  it("name files and objects that exist", () => {
    expect([...OTHER_FILES.keys()].filter((path) => !files.some((file) => file.path === path))).toEqual([]);
    const names = files.flatMap(({ text }) => objects(text)).map(({ name }) => name);
    expect([...PARTS_OF_TABLES.keys()].filter((name) => !names.includes(name))).toEqual([]);
  });

  it("exempt no function from the other rules", () => {
    const created = files.flatMap(({ text }) => objects(text)).filter(({ kind }) => kind === "function" || kind === "procedure");
    expect(files.flatMap(({ text }) => routines(text))).toHaveLength(created.length);
  });
});
