import { expect, test } from "vitest";
import { pgTapFiles, runPgTap } from "../../scripts/mutation/pgtap.ts";
import { cloneDatabase, connect } from "../support/index.ts";
import { files, routines } from "../../scripts/structure/sql_source.ts";

/** Lets each function that returns findings tell the client what it finds. */
const TELL = `
  do $tell$
  declare v_function record;
  begin
    for v_function in
      select p.oid, p.proname, pg_get_function_arguments(p.oid) as parameters, pg_get_function_result(p.oid) as result,
        (select string_agg(format('%I', p.proargnames[n]), ', ' order by n) from generate_series(1, p.pronargs) as n) as arguments
      from pg_proc as p where p.pronamespace = 'app'::regnamespace and p.proretset and p.proargnames @> '{check_name}' and not p.proargnames @> '{check_id}'
    loop
      execute format('alter function %s rename to %I', v_function.oid::regprocedure, v_function.proname || '_silent');
      execute format($function$
        create function app.%I(%s) returns %s language plpgsql as $$
        #variable_conflict use_column
        declare v_row record;
        begin
          for v_row in select * from app.%I(%s) loop
            raise warning 'found %%', v_row.check_name;
            check_name := v_row.check_name; subject := v_row.subject; expected := v_row.expected; actual := v_row.actual;
            return next;
          end loop;
        end $$ $function$, v_function.proname, v_function.parameters, v_function.result, v_function.proname || '_silent', v_function.arguments);
    end loop;
  end $tell$`;

// Guarantee money/damage
test("every check of reconcile() is seen finding damage", async () => {
  const checks = files
    .flatMap(({ text }) => routines(text))
    .map(({ statement }) => statement)
    .filter((statement) => statement.includes("returns table (check_name text"))
    .flatMap((text) => [...text.matchAll(/(?:select|\()\s*'([a-z]+(?:_[a-z]+)+)'\s*,/g)].map(([, name]) => name!));
  expect(checks.length).toBeGreaterThan(40);

  const found = new Set<string>();
  const clone = await cloneDatabase();
  const sql = connect(clone.url, {
    onnotice: ({ message }) => found.add(/^found (\w+)$/.exec(message ?? "")?.[1] ?? ""),
  });
  try {
    await sql.unsafe(TELL);
    for (const file of pgTapFiles().filter(({ path }) => path.startsWith("supabase/tests/reconcile/")))
      await runPgTap(sql, file);
  } finally {
    await sql.end();
    await clone.drop();
  }
  expect(checks.filter((check) => !found.has(check))).toEqual([]);
});
