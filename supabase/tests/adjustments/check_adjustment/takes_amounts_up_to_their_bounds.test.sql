begin;
\ir ../../support/fixture.psql
select plan(37);

create function pg_temp.outcome(
  p_brokerage numeric, p_frozen numeric, p_available numeric, p_reason text default 'Because'
) returns text language plpgsql as $$
declare
  v_field text;
begin
  perform app.check_adjustment(p_brokerage, p_frozen, p_available, p_reason);
  return 'taken';
exception when sqlstate 'PT422' then
  get stacked diagnostics v_field = column_name;
  return 'refused ' || v_field;
end
$$;

-- The least and the greatest change of each balance, in both directions, with the decimals that are stored.
select is(
  case b.name
    when 'brokerage' then pg_temp.outcome(v.value, null, null)
    when 'frozen_points' then pg_temp.outcome(0, v.value, null)
    else pg_temp.outcome(null, 0, v.value)
  end,
  v.outcome, format('%s: %s', b.name, v.value)
)
from (values ('brokerage', 0.01), ('frozen_points', 0.0001), ('available_points', 0.0001)) as b (name, step)
cross join lateral (values
  (b.step, 'taken'), (-b.step, 'taken'), (100000000, 'taken'), (-100000000, 'taken'), (100000000 - b.step, 'taken'),
    (b.step * 1.000, 'taken'),
  (100000000 + b.step, 'refused '), (-100000000 - b.step, 'refused '), (b.step / 10, 'refused /' || b.name)
) as v (value, outcome);
select is(pg_temp.outcome(c.brokerage, c.frozen, c.available), 'refused ', c.sentence) from (values
  (null::numeric, null::numeric, null::numeric, 'an adjustment of nothing'), (0, 0, 0, 'or of zero'),
    (1, 100000001, null, 'or of which one amount is too large')
) as c (brokerage, frozen, available, sentence);
select is(pg_temp.outcome(1, null, null, c.reason), c.outcome, c.sentence) from (values
  ('A', 'taken', 'a reason of one character'), (repeat('因', 500), 'taken', 'of 500'),
    (E'Two\nlines', 'taken', 'of two lines'), (repeat('因', 501), 'refused /reason', 'of 501'),
  ('', 'refused /reason', 'of none'), (E'\u3000', 'refused /reason', 'of blanks'),
  (E'a\u202eb', 'refused /reason', 'with a mark of direction')
) as c (reason, outcome, sentence);

select * from finish();
rollback;
