begin;
\ir ../support/fixture.psql
select plan(1);

create function pg_temp.findings() returns setof text language plpgsql as $$
begin
  if exists (select from pg_extension where extname = 'plpgsql_check') then
    return query execute $sql$
      select p.oid::regprocedure || ': ' || f.message
      from pg_proc as p cross join lateral plpgsql_check_function_tb(p.oid) as f
      where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace) and p.prorettype <> 'trigger'::regtype
        and p.prolang = (select oid from pg_language where lanname = 'plpgsql') and f.level = 'error'
        -- What a database without pg_cron or migration history does not have.
        and f.message !~ '(cron.job|supabase_migrations.schema_migrations)'
        -- The checker runs constant calls of what only ever raises.
        and f.sqlstate !~ '^PT'
    $sql$;
  end if;
end
$$;
select is_empty('select * from pg_temp.findings()', 'no errors (nothing is checked where plpgsql_check is not installed)');

select * from finish();
rollback;
