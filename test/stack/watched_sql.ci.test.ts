import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { sourceFiles } from "../../scripts/postgres/source_database.ts";
import { applySql, type ChangedFile } from "../../scripts/watch/apply_sql.ts";
import { type ClonedDatabase, cloneDatabase, connect } from "../support/index.ts";

const sources = sourceFiles().map((path) => ({
  path: relative(projectRoot, path),
  text: readFileSync(path, "utf8"),
}));
const generated = sources.filter(({ path }) => path.startsWith("sql/from_the_catalogue/")).map(({ text }) => text);

let database: ClonedDatabase;
let sql: ReturnType<typeof connect>;
beforeAll(async () => {
  database = await cloneDatabase();
  sql = connect(database.url);
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

const apply = (...files: ChangedFile[]) => applySql(database.url, files, generated);
const changed = (before: string, after: string) => apply({ path: "sql/05_members/watched.sql", before, after });

/** The functions of a name with what a store keeps about them. */
const functions = (name: string) =>
  sql`
    select pg_get_function_arguments(p.oid) as arguments, pg_get_function_result(p.oid) as result,
      obj_description(p.oid, 'pg_proc') as comment, has_function_privilege('store_admin', p.oid, 'execute') as granted
    from pg_proc as p where p.oid::regproc::text = ${name}`;

const greeting = (parameters: string, result: string, body: string) => `
-- A comment; with a semicolon.
create or replace function app.greeting(${parameters})
returns ${result}
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  ${body}
$$;

comment on function app.greeting is 'Greets; politely.';

grant execute on function app.greeting to store_admin;
`;
const first = greeting("p_name text", "text", "select 'Hello, ' || p_name");

describe("a change of sql/ is applied to a running store", () => {
  it("with all that can be created anew", async () => {
    const files = sources
      .filter(({ path }) => !path.startsWith("sql/from_the_catalogue/"))
      .map(({ path, text }) => ({ path, before: "", after: text }));
    // The migrations have created everything before.
    const { done, left } = await apply(...files);
    expect(done.length).toBeGreaterThan(3_000);
    const replaced = /^\S+ (?:create (?:or replace|view|policy|trigger)|comment|grant|revoke)\b/;
    expect(left.filter((title) => replaced.test(title))).toEqual([]);
    expect(await sql`select kind, name from app.manifest except select kind, name from app.catalogue()`).toEqual([]);
    expect(await sql`select * from app.catalogue() except select * from app.manifest`).toEqual([]);
  });

  it("with a new function, its comment and its grants", async () => {
    expect(await changed("", first)).toEqual({
      done: [
        "create or replace function app.greeting",
        "comment on function app.greeting",
        "grant execute on function app.greeting to store_admin",
      ],
      left: [],
    });
    expect(await functions("app.greeting")).toEqual([
      { arguments: "p_name text", result: "text", comment: "Greets; politely.", granted: true },
    ]);
  });

  it("with another body, and only with what has changed", async () => {
    const after = first.replace("Hello, ", "Good day, ");
    expect((await changed(first, after)).done).toEqual(["create or replace function app.greeting"]);
    expect(await sql`select app.greeting('Ann')`).toEqual([{ greeting: "Good day, Ann" }]);
  });

  it.each([
    ["another parameter", greeting("p_name text, p_times integer default 2", "text", "select repeat(p_name, p_times)")],
    ["another result", greeting("p_name text", "integer", "select length(p_name)")],
    ["another name of a parameter", greeting("p_person text", "text", "select p_person")],
  ])("with %s, in place of the former function", async (_what, after) => {
    await changed("", first);
    expect((await changed(first, after)).done).toEqual(["create or replace function app.greeting"]);
    const found = await functions("app.greeting");
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ comment: "Greets; politely.", granted: true });
    expect(after).toContain(`app.greeting(${String(found[0]!.arguments).replace("DEFAULT", "default")})`);
  });

  it("with a function of schema api, which requests reach by its entry point", async () => {
    const text = greeting("p_name text", "text", "select p_name").replaceAll("app.", "api.");
    await changed("", text);
    expect(await functions("entry.greeting")).toHaveLength(1);
  });

  it("without a function that is gone", async () => {
    await changed("", first);
    expect((await changed(first, "")).done).toEqual(["drop app.greeting"]);
    expect(await functions("app.greeting")).toEqual([]);
  });

  it("except what concerns rows, which it names with file and line", async () => {
    const after = `${first}\nalter table app.users add column nick text;\n\ncreate index users_by_nick on app.users (nick);\n`;
    expect((await changed(first, after)).left).toEqual([
      "sql/05_members/watched.sql:16 alter table app.users add column nick text",
      "sql/05_members/watched.sql:18 create index users_by_nick on app.users",
    ]);
  });

  it("not at all if a part of it is wrong, with file and line of what is", async () => {
    const second = first.replaceAll("app.greeting", "app.farewell");
    const wrong = second.replace("select 'Hello, '", "\n  selekt 'Hello, '");
    await expect(changed("", first.replaceAll("app.greeting", "app.other") + wrong)).rejects.toThrow(
      /^sql\/05_members\/watched\.sql:24 syntax error at or near "selekt"/,
    );
    expect(await functions("app.other")).toEqual([]);
    await expect(changed("", "select 'half of a text")).rejects.toThrow(
      "sql/05_members/watched.sql: No token of SQL at",
    );
  });
});
