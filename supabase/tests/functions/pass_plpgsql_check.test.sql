begin;
\ir ../support/fixture.psql
select plan(2);

-- Accepted findings with their reasons. `function` and `message` are regular expressions.
create temporary table exceptions (function text, message text, reason text);
insert into exceptions (function, message, reason) values
  (
    '', 'EXECUTE command is not necessary',
    'Dynamic SQL, because the table of pg_cron or of the Supabase CLI may not be there.'
  ),
  ('check_rows|check_arguments|create_month_partition|call_api|admin_get_users|admin_get_products|admin_get_orders|admin_get_withdrawals|direct_people|check_import_values', 'is not sanitized',
    'The text is put together by format() with %I and %L, of names from the catalogue, or after it was compared with a list.'),
  (
    'run_statement', 'not SQL injection safe',
    'The text is the command of a scheduled job, which only the owner of the store can write.'
  ),
  (
    'get_settings_history', 'not SQL injection safe',
    'The text is put together by format() with %L, of names and defaults of columns from the catalogue.'
  ),
  (
    'digest_of_rows|constrain_part', 'is not sanitized',
    'The text consists of names of the catalogue and of app.expanded_query, by format() with %I.'
  ),
  ('export_member', 'is not sanitized', 'The text consists of the constants of app.member_sections.'),
  (
    '', 'cast "(integer|bigint)" value to "(smallint|integer|bigint)"',
    'A count of lines, places or rows of a page. The assignment raises where it does not fit.'
  ),
  ('decide_levels', 'cast "double precision" value to "integer"', 'A position in an array, rounded up.'),
  ('invalid_setting', 'cast "name" value to "text"', 'An assignment of a name loses nothing.'),
  (
    'save_wechat_token|schedule_json|simulate|record_picture_question', 'cast "text" value to',
    'The text of a setting or of a literal, once a call.'
  ),
  ('decide_again', 'composite OUT variable', 'It returns a row of settlements and the reasons for it.'),
  (
    'open_attempt|record_attempt_state', 'composite OUT variable',
    'They return a row of payment attempts and what is to be done, or was done, with it.'
  ),
  ('level_review', 'composite OUT variable', 'It returns a member, the counts and the grade that they reach.'),
  ('reconcile', 'dynamic SQL', 'The functions of app.reconcile_checks() have the same columns.'),
  ('app.fail\(', 'marked as VOLATILE', 'What raises is not to be evaluated while a statement is planned.'),
  ('check_import_values|owed_at', 'OUT variable', 'Its rows come from dynamic SQL.'),
  ('close_month', 'end of function without RETURN', 'The last round of its loop returns or raises.');

create temporary table findings (function text, message text, excepted boolean);
do $$
begin
  if exists (select from pg_extension where extname = 'plpgsql_check') then
    insert into findings
    select f.function, f.message,
      exists (select from exceptions as e where f.function ~ e.function and f.message ~ e.message)
    from (
      -- A trigger function with each of its tables, and with all transition tables that its triggers name.
      select p.oid::regprocedure::text as function,
        f.level || ' at line ' || coalesce(f.lineno, 0) || ': ' || f.message
        || coalesce(' (' || f.detail || ')', '') as message
      from pg_proc as p
      left join lateral (
        select t.tgrelid, max(t.tgoldtable) as old_rows, max(t.tgnewtable) as new_rows
        from pg_trigger as t where t.tgfoid = p.oid and not t.tgisinternal group by t.tgrelid
      ) as t on true
      cross join lateral plpgsql_check_function_tb(
        p.oid, coalesce(t.tgrelid, 0), fatal_errors => false, all_warnings => true, oldtable => t.old_rows,
        newtable => t.new_rows
      ) as f
      where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace, 'entry'::regnamespace)
        and p.prolang = (select oid from pg_language where lanname = 'plpgsql')
        -- What a database without pg_cron or migration history does not have.
        and f.message !~ 'relation "(cron\.job|supabase_migrations\.schema_migrations)'
        -- The checker runs constant calls of what only ever raises.
        and f.sqlstate !~ '^PT'
        -- The last statement calls what only ever raises, which the checker does not know.
        and not (
          f.message = 'control reached end of function without RETURN'
          and p.prosrc ~ 'perform app\.(fail|reject_\w+)\([^;]*\);\s*(end if;\s*)?end\s*;?\s*$'
        )
    ) as f;
  end if;
end
$$;
select case
  when not exists (
    select from pg_extension where extname = 'plpgsql_check'
  ) then skip('plpgsql_check is not installed', 2)
  else collect_tap(
  is_empty(
    'select function, message from findings where not excepted', 'no errors or warnings but the exceptions above'
  ),
  is_empty(
    $$ select e.function, e.message from exceptions as e
       where not exists (select from findings as f where f.function ~ e.function and f.message ~ e.message) $$,
    'every exception is still needed'
  )
) end;

select * from finish();
rollback;
