-- Locks: the row of app.settings.
-- Raises: invalid_argument.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_withdrawal_terms(p_minimum numeric, p_maximum numeric, p_fee_rate numeric, p_methods jsonb)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_minimum numeric;
  v_maximum numeric;
begin
  select coalesce(p_minimum, s.withdrawal_minimum), case when p_maximum is null then s.withdrawal_maximum else nullif(p_maximum, 0) end
  into v_minimum, v_maximum
  from app.settings as s for update;
  if v_minimum not between 0.01 and 1000000 or v_minimum <> trunc(v_minimum, app.money_decimals()) then
    perform app.fail('invalid_argument', 'The smallest withdrawal must be between 0.01 and 1000000.00.', '/withdrawal_minimum');
  elsif v_maximum < v_minimum or v_maximum > 999999999999.99 or v_maximum <> trunc(v_maximum, app.money_decimals()) then
    perform app.fail('invalid_argument', 'The largest withdrawal must be at least the smallest; 0 means no limit.', '/withdrawal_maximum');
  elsif p_fee_rate < 0 or p_fee_rate >= 1 or scale(trim_scale(p_fee_rate)) > 5 then
    perform app.fail('invalid_argument', 'The fee rate must be at least 0 and below 1, with at most 5 decimals.', '/withdrawal_fee_rate');
  elsif p_methods is not null and (jsonb_typeof(p_methods) <> 'array' or not p_methods <@ '["bank", "alipay", "wechat"]') then
    perform app.fail('invalid_argument', 'The ways to withdraw are bank, alipay and wechat.', '/withdrawal_methods');
  end if;
  update app.settings as s
  set withdrawal_minimum = v_minimum, withdrawal_maximum = v_maximum, withdrawal_fee_rate = coalesce(p_fee_rate, s.withdrawal_fee_rate),
      withdrawal_methods = case
        when p_methods is null then s.withdrawal_methods
        else array(select m.name from unnest('{bank, alipay, wechat}'::text[]) with ordinality as m (name, place) where p_methods ? m.name order by m.place)
      end
  where s.id;
end
$$;

comment on function app.set_withdrawal_terms is
  'Changes how much members can withdraw in one withdrawal, the fee rate and the methods. A null argument leaves its setting unchanged; a '
  'maximum of 0 removes the limit. Requests that were made before keep their fee.';
