-- Settings of the store, each group with the rules between its values.

create or replace function app.avatar_origins()
returns text[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select array_remove(
    s.avatar_origins || app.origin_of(s.h5_share_url) || (select app.origin_of(f.project_url) from app.function_settings as f), null
  )
  from app.settings as s
$$;

comment on function app.avatar_origins is
  'Returns the origins of which members can have a picture: those of the settings, that of the share page, and that of the project, which has the '
  'storage of the store. Whoever serves a picture learns who looks at it.';

-- PL/pgSQL, so that the session caches the query plan (see app.get_upline). Strict, so that a member without a picture costs nothing.
create or replace function app.shown_avatar(p_avatar text)
returns text
language plpgsql
stable
strict
set search_path = pg_catalog, pg_temp
as $$
begin
  return case
    when app.is_web_address(p_avatar) and char_length(p_avatar) <= 512 and app.origin_of(p_avatar) = any (app.avatar_origins()) then p_avatar
  end;
end
$$;

comment on function app.shown_avatar is
  'Returns the address of a picture if a member can have it, null if not. Every entrance and every answer calls it, so pictures from before a change '
  'of the settings follow it.';

-- Locks: the row of app.settings.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_avatar_origins(p_origins jsonb)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_origins text[];
begin
  if p_origins is null then
    return;
  elsif jsonb_typeof(p_origins) = 'array' then
    select coalesce(array_agg(d.origin order by d.place), '{}') into v_origins
    from (
      select lower(t.value) as origin, min(t.place) as place from jsonb_array_elements_text(p_origins) with ordinality as t (value, place) group by 1
    ) as d;
  end if;
  if v_origins is null or cardinality(v_origins) > 20 or not app.are_https_origins(v_origins) then
    perform app.fail('invalid_argument', 'Give at most 20 origins of pictures, such as https://example.com: https, the host, and no path.', '/avatar_origins');
  end if;
  update app.settings as s set avatar_origins = v_origins where s.id;
end
$$;

comment on function app.set_avatar_origins is
  'Changes the origins of which members can have a picture, besides those of the store itself. Null leaves them unchanged. Pictures of other origins '
  'are hidden at once and shown again when their origin returns.';

create or replace function app.has_refused_word(p_text text)
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return p_text <> '' and exists (
    select from app.settings as s cross join app.folded_text(p_text) as f (folded) cross join unnest(s.refused_words) as w (word)
    where position(w.word in f.folded) > 0
  );
end
$$;

comment on function app.has_refused_word is 'Returns whether a text contains a word that the store refuses, whatever its case, its width and the blanks between its letters.';

create or replace function app.refuse_words(p_text text, p_field text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if app.has_refused_word(p_text) then
    perform app.fail('text_not_allowed', 'The text contains words that this store does not allow.', p_field);
  end if;
end
$$;

comment on function app.refuse_words is
  'Raises text_not_allowed if a text of a member contains a word that the store refuses. The error names the field p_field of the request, and no word.';

-- Locks: the row of app.settings.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_refused_words(p_words jsonb)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_words text[];
begin
  if p_words is null then
    return;
  elsif jsonb_typeof(p_words) = 'array' then
    select coalesce(array_agg(d.word order by d.place), '{}') into v_words
    from (
      select app.folded_text(t.value) as word, min(t.place) as place from jsonb_array_elements_text(p_words) with ordinality as t (value, place) group by 1
    ) as d;
  end if;
  if v_words is null or cardinality(v_words) > 500 or not app.are_words(v_words) then
    perform app.fail('invalid_argument', 'Give at most 500 words, each of 1 to 50 characters.', '/refused_words');
  end if;
  update app.settings as s set refused_words = v_words where s.id;
end
$$;

comment on function app.set_refused_words is
  'Changes the words that members cannot use in texts that others read. Null leaves them unchanged. They are stored as they are compared (app.folded_text), each once. '
  'Texts from before stay.';

-- Locks: the row of app.settings.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_administrator_limits(
  p_adjustment_money numeric, p_adjustment_points numeric, p_offline_payment numeric, p_withdrawal numeric
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_adjustment_money not between 0 and 100000000 or p_adjustment_money <> trunc(p_adjustment_money, app.money_decimals()) then
    perform app.fail('invalid_argument', 'The limit for adjustments of money must be between 0 and 100000000.00.', '/adjustment_limit_money');
  elsif p_adjustment_points not between 0 and 100000000 or p_adjustment_points <> trunc(p_adjustment_points, app.points_decimals()) then
    perform app.fail('invalid_argument', 'The limit for adjustments of points must be between 0 and 100000000, with at most four decimals.', '/adjustment_limit_points');
  elsif p_offline_payment not between 0 and 100000000 or p_offline_payment <> trunc(p_offline_payment, app.money_decimals()) then
    perform app.fail('invalid_argument', 'The limit for offline payments must be between 0 and 100000000.00.', '/offline_payment_limit');
  elsif p_withdrawal not between 0 and 100000000 or p_withdrawal <> trunc(p_withdrawal, app.money_decimals()) then
    perform app.fail('invalid_argument', 'The limit for the approval of withdrawals must be between 0 and 100000000.00.', '/withdrawal_limit');
  end if;
  update app.settings as s
  set adjustment_limit_money = coalesce(p_adjustment_money, s.adjustment_limit_money),
      adjustment_limit_points = coalesce(p_adjustment_points, s.adjustment_limit_points),
      offline_payment_limit = coalesce(p_offline_payment, s.offline_payment_limit), withdrawal_limit = coalesce(p_withdrawal, s.withdrawal_limit)
  where s.id;
end
$$;

comment on function app.set_administrator_limits is
  'Changes how much one administrator can decide alone on a business day (app.decide_alone). A null argument leaves its limit unchanged. What '
  'waits for a second administrator keeps waiting.';

-- Locks: the row of app.settings.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_points_terms(p_points_rate numeric, p_points_max_share numeric)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_points_rate not between 0.01 and 999999.99 or scale(trim_scale(p_points_rate)) > 2 then
    perform app.fail('invalid_argument', 'The points for 1.00 must be between 0.01 and 999999.99, with at most two decimals.', '/points_rate');
  elsif p_points_max_share < 0 or p_points_max_share >= 1 or scale(trim_scale(p_points_max_share)) > 5 then
    perform app.fail('invalid_argument', 'The share that points can pay must be at least 0 and below 1, with at most five decimals.', '/points_max_share');
  end if;
  update app.settings as s
  set points_rate = coalesce(p_points_rate, s.points_rate), points_max_share = coalesce(p_points_max_share, s.points_max_share)
  where s.id;
end
$$;

comment on function app.set_points_terms is
  'Changes the settings that say how many points pay 1.00, and which share of a price points can pay at most; a share of 0 switches points '
  'at checkout off. A null argument leaves its setting unchanged. Orders that were placed before do not change.';

-- Locks: the row of app.settings.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_quotas(p_orders integer, p_cancellations integer, p_keys integer, p_profile_changes integer, p_posters integer)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_field text;
begin
  select f.name into v_field
  from (values
    ('orders_per_hour', p_orders), ('cancellations_per_hour', p_cancellations), ('keys_per_hour', p_keys),
    ('profile_changes_per_hour', p_profile_changes), ('posters_per_hour', p_posters)
  ) as f (name, quota)
  where f.quota not between 1 and 100000 order by f.name limit 1;
  if found then
    perform app.fail('invalid_argument', 'A quota by member and hour must be between 1 and 100000.', '/' || v_field);
  end if;
  update app.settings as s
  set orders_per_hour = coalesce(p_orders, s.orders_per_hour), cancellations_per_hour = coalesce(p_cancellations, s.cancellations_per_hour),
      keys_per_hour = coalesce(p_keys, s.keys_per_hour), profile_changes_per_hour = coalesce(p_profile_changes, s.profile_changes_per_hour),
      posters_per_hour = coalesce(p_posters, s.posters_per_hour)
  where s.id;
end
$$;

comment on function app.set_quotas is
  'Changes how often a member can do what within an hour (app.use_quota). A null argument leaves its quota unchanged. New quotas apply at once, '
  'also to the hour that has begun.';

-- Locks: the row of app.settings.
-- Idempotent: setting the current value has no further effect.
create or replace function app.set_poster_design(p_design text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_design not in ('warm', 'light', 'dark') then
    perform app.fail('invalid_argument', 'The designs of posters are warm, light and dark.', '/poster_design');
  end if;
  update app.settings as s set poster_design = p_design where s.id and p_design is not null;
end
$$;

comment on function app.set_poster_design is
  'Changes the design of posters. Null leaves it unchanged. Posters are drawn anew when they are asked for next.';

-- Locks: the row of app.settings.
-- Idempotent: setting the current value has no further effect.
create or replace function app.set_return_address(p_address jsonb)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_address <> '{}' and not app.is_address(p_address) then
    perform app.fail(
      'invalid_argument',
      'A return address must have a name, a phone number, a region of 1 to 6 names from the largest to the smallest, and a street.', '/return_address'
    );
  end if;
  update app.settings as s set return_address = nullif(p_address, '{}') where s.id and p_address is not null;
end
$$;

comment on function app.set_return_address is
  'Changes where buyers send goods that they return. Null leaves the address unchanged, an empty object removes it. Returns that were asked for before keep theirs.';

-- Locks: the row of app.settings.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_contact(p_phone text, p_wechat text, p_hours text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_phone <> '' and not app.is_phone_number(p_phone) then
    perform app.fail('invalid_argument', 'Enter a valid phone number.', '/contact_phone');
  elsif p_wechat <> '' and (not app.is_line(p_wechat) or char_length(p_wechat) > 64) then
    perform app.fail('invalid_argument', 'The WeChat ID of the store has 1 to 64 characters in one line.', '/contact_wechat');
  elsif p_hours <> '' and (not app.is_line(p_hours) or char_length(p_hours) > 100) then
    perform app.fail('invalid_argument', 'The hours of the store have 1 to 100 characters in one line.', '/contact_hours');
  end if;
  update app.settings as s
  set contact_phone = case when p_phone is null then s.contact_phone else nullif(p_phone, '') end,
      contact_wechat = case when p_wechat is null then s.contact_wechat else nullif(p_wechat, '') end,
      contact_hours = case when p_hours is null then s.contact_hours else nullif(p_hours, '') end
  where s.id;
end
$$;

comment on function app.set_contact is
  'Changes how members reach the store: phone number, WeChat ID, and when. Null leaves a value unchanged, an empty text removes it.';

-- Locks: the row of app.settings.
-- Idempotent: setting the current value has no further effect.
create or replace function app.set_settlement_slots(p_slots integer)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_slots not between 0 and 16 then
    perform app.fail('invalid_argument', 'The settlements at the same time must be between 0 and 16.', '/settlement_slots');
  end if;
  update app.settings as s set settlement_slots = p_slots where s.id and p_slots is not null;
end
$$;

comment on function app.set_settlement_slots is
  'Changes how many requests that have paid settle waiting orders at the same time. Null leaves the setting unchanged. Settlements that have begun go on.';

-- Locks: the row of app.settings.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_transfer_limits(p_minimum numeric, p_maximum numeric, p_name_from numeric)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_minimum numeric;
  v_maximum numeric;
begin
  select coalesce(p_minimum, s.transfer_minimum), case when p_maximum is null then s.transfer_maximum else nullif(p_maximum, 0) end
  into v_minimum, v_maximum
  from app.settings as s for update;
  if v_minimum not between 0.01 and 1000000 or v_minimum <> trunc(v_minimum, app.money_decimals()) then
    perform app.fail('invalid_argument', 'The smallest transfer must be between 0.01 and 1000000.00.', '/transfer_minimum');
  elsif v_maximum < v_minimum or v_maximum > 999999999999.99 or v_maximum <> trunc(v_maximum, app.money_decimals()) then
    perform app.fail('invalid_argument', 'The largest transfer must be at least the smallest; 0 means no limit.', '/transfer_maximum');
  elsif p_name_from not between 0.30 and 2000 or p_name_from <> trunc(p_name_from, app.money_decimals()) then
    perform app.fail('invalid_argument', 'The amount from which WeChat needs a name must be between 0.30 and 2000.00, the bounds of WeChat Pay.', '/transfer_name_from');
  end if;
  update app.settings as s
  set transfer_minimum = v_minimum, transfer_maximum = v_maximum, transfer_name_from = coalesce(p_name_from, s.transfer_name_from)
  where s.id;
end
$$;

comment on function app.set_transfer_limits is
  'Changes how much WeChat transfers at once, and from which amount on it needs the name of the member. A null argument leaves its setting '
  'unchanged; a maximum of 0 removes the limit.';

-- Locks: the row of app.settings.
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

-- Locks: the row of app.settings.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_network_thresholds(p_people integer, p_depth integer)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_people not between 1 and 1000000 then
    perform app.fail('invalid_argument', 'The number of members below must be between 1 and 1000000.', '/network_people');
  elsif p_depth not between 1 and 1000 then
    perform app.fail('invalid_argument', 'The depth must be between 1 and 1000.', '/network_depth');
  end if;
  update app.settings as s
  set network_people = coalesce(p_people, s.network_people), network_depth = coalesce(p_depth, s.network_depth)
  where s.id;
end
$$;

comment on function app.set_network_thresholds is
  'Changes the thresholds of the page about the network. A null argument leaves its threshold unchanged. They change what is shown, and nothing that is paid.';

-- Locks: the row of app.settings.
-- Idempotent: setting the current value has no further effect.
create or replace function app.set_person_request_days(p_days integer)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_days not between 1 and 90 then
    perform app.fail('invalid_argument', 'The time to answer a request of a person must be between 1 and 90 days.', '/person_request_days');
  end if;
  update app.settings as s set person_request_days = p_days where s.id and p_days is not null;
end
$$;

comment on function app.set_person_request_days is 'Changes how long requests of persons may take. Null leaves it unchanged. Requests from before keep their day.';
