begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(13);

create temporary table a as select pg_temp.administrator() as id;
create temporary table m as select pg_temp.reporter() as uid;
update app.user_balances set brokerage_price = brokerage_price + 1 where uid = (select uid from m);
create function pg_temp.night() returns bigint language plpgsql as $$
declare
  v_id bigint := app.begin_reconcile(0);
begin
  update app.reconcile_runs set started_at = started_at - interval '1 hour' where id = v_id;
  while app.reconcile_slice(v_id, 100000) loop end loop;
  return (select r.findings from app.reconcile_runs as r where r.id = v_id);
end
$$;
create function pg_temp.report() returns jsonb language sql as $$
  select pg_temp.call(a.id, 'get_reconcile_report')::jsonb from a
$$;
create temporary table n (findings bigint);
insert into n select pg_temp.night();
select cmp_ok(findings, '>', 0::bigint, 'a night finds the difference') from n;
create temporary table f as
select f.value as finding from jsonb_array_elements(pg_temp.report() -> 'list') as f
where f.value ->> 'check_name' = 'balance_equals_bill';
select matches(finding ->> 'advice', '^A row was changed', 'it says what to do') from f;
select matches(finding ->> 'advice_zh', '^有数据被手工改动', 'in Chinese, too') from f;

create function pg_temp.explain(p_changes jsonb default '{}') returns text language sql as $$
  select pg_temp.call(a.id, 'explain_finding', (
    select jsonb_object_agg('p_' || e.key, e.value)
    from jsonb_each(
      f.finding - '{advice, advice_zh}'::text[] || '{"reason": "The balance was corrected by hand"}' || p_changes
    ) as e
  ))
  from a, f
$$;
select matches(pg_temp.explain('{"reason": " "}'), 'invalid_argument', 'an explanation has words');
select matches(pg_temp.explain('{"actual": "0.00"}'), 'finding_not_found', 'other figures are no finding');
select is((pg_temp.explain()::jsonb ->> 'findings')::bigint, findings - 1, 'an explained finding no longer counts')
from n;
select is(pg_temp.explain()::jsonb #>> '{explained,0,reason}', 'The balance was corrected by hand', 'who explains it again changes nothing');
select is((select count(*) from app.explained_findings), 1::bigint, 'it is explained once');
select is(
  (select explained_by from app.explained_findings), (select id from a), 'with the administrator who did'
);
select is(
  (
    select l.to_value from app.admin_actions as l where l.function = 'explain_finding'
  ),
  (select jsonb_build_object('check_name', finding ->> 'check_name', 'subject', finding ->> 'subject') from f),
  'the action log has it without the text'
);
select is(pg_temp.night(), findings - 1, 'the next night does not count it') from n;
update app.user_balances set brokerage_price = brokerage_price + 1 where uid = (select uid from m);
select is(pg_temp.night(), findings, 'it comes back when its figures change') from n;
select isnt_empty(
  format('select from app.reconcile() where check_name = %L', 'balance_equals_bill'),
  'app.reconcile() lists what is explained, too'
);

select * from finish();
rollback;
