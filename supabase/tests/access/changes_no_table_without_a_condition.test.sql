begin;
\ir ../support/fixture.psql
select plan(5);

-- Sessions of the Data API on hosted Supabase load the extension safeupdate, which rejects every UPDATE and DELETE
-- without WHERE, also inside functions. All functions of the store keep to that, because the calls from schema api
-- reach nearly all of them. The text of a function is reduced from the innermost parentheses outwards, so that a WHERE
-- counts only for its own statement.
create function pg_temp.unconditional(p_source text) returns setof text language plpgsql as $$
declare
  -- Without comments; what is in quotes may be dynamic SQL.
  v_source text := regexp_replace(
    replace(regexp_replace(p_source, '--[^\n]*', '', 'g'), '''', ' '), '\$\w*\$', ';', 'g'
  );
  v_inner text;
  v_statement text;
begin
  loop
    v_inner := substring(v_source from '\(([^()]*)\)');
    foreach v_statement in array string_to_array(coalesce(v_inner, v_source), ';') loop
      return query
      select trim(m[1])
      from regexp_matches(
        v_statement,
        '(\m(?:update\s+(?:only\s+)?[\w.%]+(?:\s+as)?(?:\s+\w+)?\s+set|delete\s+from\s+(?:only\s+)?[\w.%]+)\M)(.*)',
        'gi'
      ) as m
      where m[2] !~* '\mwhere\M';
    end loop;
    exit when v_inner is null;
    v_source := regexp_replace(v_source, '\([^()]*\)', ' ');
  end loop;
end $$;

select is_empty($$
  select p.oid::regprocedure, s.text
  from pg_proc as p cross join lateral pg_temp.unconditional(p.prosrc) as s (text)
  where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace)
$$, 'every update and delete has a condition');
select set_eq(
  $$ select pg_temp.unconditional('update app.settings as s set logo = null; delete from app.users where uid = 1') $$,
  array['update app.settings as s set'], 'an update without one is detected'
);
select set_eq(
  $$ select pg_temp.unconditional(
    'with gone as (delete from app.users returning uid) select from gone where uid > 1'
  ) $$,
  array['delete from app.users'], 'an update whose enclosing statement has a condition is detected'
);
select set_eq(
  $$ select pg_temp.unconditional('update app.users set nickname = (select max(x) from y where z)') $$,
  array['update app.users set'], 'an update with a condition only in a subquery is detected'
);
select set_eq(
  $$ select pg_temp.unconditional('execute ''delete from cron.job''; -- delete from app.x') $$,
  array['delete from cron.job'], 'an update in dynamic SQL is detected, one in a comment is not'
);

select * from finish();
rollback;
