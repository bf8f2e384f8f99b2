import { describe, expect, it } from "vitest";
import { files, objects, type Routine, routines, type SqlFile } from "../../scripts/structure/sql_source.ts";

// Checks the rules for sql/ that can be checked in the text of its files. CONTRIBUTING.md explains them.

/** Objects that belong to a table, which its comment describes. */
const PARTS_OF_TABLES = [
  "user_bill_id_seq",
  "user_bill_default",
  "admin_actions_id_seq",
  "admin_actions_default",
  "points_release_log_id_seq",
  "points_release_log_default",
];

/** Functions longer than 85 lines, with the reasons. */
const LONG_FUNCTIONS = new Map([
  ["app.error_codes", "the list of all codes"],
  ["app.declared_settings", "the list of all settings"],
  ["app.stored_figures", "the list of all figures"],
  ["app.decide_cycles", "one pure loop over orders, whose state is every cycle so far"],
  ["app.decide_levels", "one pure loop over tree changes, whose state is every member so far"],
  ["app.catalogue_of_privileges", "one statement, a part for each kind of object that has privileges"],
  ["app.catalogue_of_rules", "one statement, a part for each kind of object that holds a rule"],
  ["app.closed_branches", "one statement, a column for each condition of a closed branch"],
  ["app.check_import_orders", "one statement, a column for each problem of a row"],
  ["app.journal_events", "one statement, a part for each kind of event"],
  ["app.reconcile_counters", "one statement, a chain of sums over the same members"],
  ["app.reconcile_cycles", "one statement, whose five findings share the places and cycles that it reads once"],
  [
    "app.import_order_rows",
    "one statement, which writes orders and their lines together, so that each line knows its order",
  ],
]);

const LINES_OF_A_SCREEN = 85;
const LINES_OF_A_FILE = 600;
const MODULES = 23;

const fails = (rule: (file: SqlFile) => boolean) => files.filter(rule).map(({ path }) => path);
const allRoutines = files.flatMap(({ path, text }) => routines(text).map((routine) => ({ ...routine, path, text })));
const failing = (rule: (routine: Routine & SqlFile) => boolean) => allRoutines.filter(rule).map(({ name }) => name);

describe("sql/", () => {
  it("has one folder for each module, numbered without a gap", () => {
    const modules = [...new Set(files.map(({ path }) => path.split("/")[0]!))]
      .filter((name) => name !== "from_the_catalogue")
      .sort();
    expect(modules.map((name) => Number(/^(\d\d)_[a-z_]+$/.exec(name)?.[1]))).toEqual(
      Array.from({ length: MODULES }, (_, index) => index + 1),
    );
  });

  it("creates every object once", () => {
    const created = files
      .flatMap(({ text }) => objects(text))
      .map(({ kind, schema, name }) => `${kind === "procedure" ? "function" : kind} ${schema}.${name}`);
    expect(created.filter((object, index) => created.indexOf(object) !== index)).toEqual([]);
  });
});

describe("a file of sql/", () => {
  it("is in a module, where a digit may stand in front, in the folder api of a module, or in from_the_catalogue", () => {
    expect(
      fails(({ path }) => !/^(?:\d\d_[a-z_]+\/(?:\d_|api\/)?|from_the_catalogue\/)[a-z_]+\.sql$/.test(path)),
    ).toEqual([]);
  });

  it("begins with a comment that says what it is about", () => {
    expect(fails(({ text }) => !/^-- [A-Z](?:.*\n-- )*.*\.\n\n/.test(text))).toEqual([]);
  });

  it("has at most 600 lines", () => {
    expect(fails(({ text }) => text.split("\n").length - 1 > LINES_OF_A_FILE)).toEqual([]);
  });

  it("comments on every function, procedure, table, view, type and sequence that it creates", () => {
    expect(
      fails(({ text }) =>
        objects(text).some(
          ({ kind, name }) =>
            !PARTS_OF_TABLES.includes(name) &&
            !new RegExp(`^comment on ${kind} (?:app|api)\\.${name}(?:\\(.*\\))? is\\s+'\\S`, "m").test(text),
        ),
      ),
    ).toEqual([]);
  });

  it("contains no list of callers, which would become outdated", () => {
    expect(fails(({ text }) => /^\s*--.*\bcallers?:/im.test(text))).toEqual([]);
  });

  it("uses the term idempotent", () => {
    expect(fails(({ text }) => /^\s*--.*\bsafe twice\b/im.test(text))).toEqual([]);
  });
});

describe("a function of sql/", () => {
  it("has its comment right after its body", () => {
    expect(
      failing(({ text, kind, name, statement }) => !text.includes(`${statement}\n\ncomment on ${kind} ${name} `)),
    ).toEqual([]);
  });

  it("states its volatility", () => {
    expect(
      failing(({ kind, header }) => kind === "function" && !/^(volatile|stable|immutable)\b/m.test(header)),
    ).toEqual([]);
  });

  it("has at most 85 lines", () => {
    const long = failing(({ statement }) => statement.split("\n").length > LINES_OF_A_SCREEN);
    expect(long.filter((name) => !LONG_FUNCTIONS.has(name))).toEqual([]);
    expect([...LONG_FUNCTIONS.keys()].filter((name) => !long.includes(name))).toEqual([]);
  });

  it("is security definer only if it writes for clients or says why", () => {
    const definers = allRoutines.filter(({ header }) => /^security definer$/m.test(header));
    expect(definers.length).toBeGreaterThan(100);
    expect(
      definers
        .filter(
          ({ name, header, above }) =>
            !(name.startsWith("api.") && /^volatile$/m.test(header)) && !above.includes("-- Security definer:"),
        )
        .map(({ name }) => name),
    ).toEqual([]);
  });

  it("leaves its errors to the table that is generated", () => {
    expect(fails(({ text }) => /^-- Raises:/m.test(text))).toEqual([]);
  });

  it("is found by these rules", () => {
    const created = files
      .flatMap(({ text }) => objects(text))
      .filter(({ kind }) => kind === "function" || kind === "procedure");
    expect(allRoutines).toHaveLength(created.length);
  });
});

it("the exceptions name objects that exist", () => {
  const names = files.flatMap(({ text }) => objects(text)).map(({ name }) => name);
  expect(PARTS_OF_TABLES.filter((name) => !names.includes(name))).toEqual([]);
});
