-- The seals of closed months: a hash tree over the rows of a month as RFC 6962 builds it, and what is recorded of it
-- (docs/seals.md).

-- Has no set clause, so that the planner can inline it. A change needs another version: seals of before must stay
-- valid.
create or replace function app.leaf_text(p_row app.user_bill)
returns text
language sql
stable
parallel safe
as $$
  select 'bill-1|' || pg_catalog.to_char(p_row.add_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '|'
    || p_row.id || '|' || p_row.uid
    || '|' || p_row.type || '|' || p_row.source || '|' || p_row.brokerage_delta || '|' || p_row.frozen_delta || '|'
    || p_row.available_delta
    || '|' || p_row.brokerage_after || '|' || p_row.frozen_after || '|' || p_row.available_after
    || '|' || coalesce(p_row.order_id::pg_catalog.text, '') || '|' || coalesce(p_row.basis::pg_catalog.text, '')
    || '|' || coalesce(p_row.rate::pg_catalog.text, '') || '|' || coalesce(p_row.agent_level::pg_catalog.text, '')
    || '|' || coalesce(p_row.passed_on::pg_catalog.text, '') || '|' || coalesce(p_row.reverses_id::pg_catalog.text, '')
    || '|' || coalesce(p_row.withdrawal_id::pg_catalog.text, '') || '|'
    || coalesce(p_row.adjustment_id::pg_catalog.text, '')
$$;

comment on function app.leaf_text is 'Returns the text of a bill row in a seal, version 1 (docs/seals.md).';

create or replace function app.hmac_pad(p_secret bytea, p_byte integer)
returns bytea
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select string_agg(set_byte('\x00', 0, get_byte(k.padded, n.place) # p_byte), '' order by n.place)
  from (select p_secret || decode(repeat('00', 64 - octet_length(p_secret)), 'hex') as padded) as k
  cross join generate_series(0, 63) as n (place)
$$;

comment on function app.hmac_pad is
  'Returns the block with which HMAC-SHA-256 begins its inner hash (p_byte 54) or its outer hash (92). The secret has '
  'at most 64 bytes.';

-- What is sealed are the values of rows, wherever they are stored. Has no set clause, so that the planner can inline
-- it.
create or replace function app.leaves(p_from timestamptz, p_to timestamptz)
returns table (add_time timestamptz, id bigint, uid bigint, text text)
language sql
stable
parallel safe
as $$
  select b.add_time, b.id, b.uid, app.leaf_text(row(b.*)::app.user_bill) from app.bill(p_from, p_to) as b
$$;

comment on function app.leaves is
  'Returns the texts of all bill rows from p_from until before p_to in a seal (app.leaf_text).';

create or replace function app.extend_paths(
  p_paths text[], p_places bigint[], p_after bigint, p_middle bigint, p_left bytea, p_right bytea
)
returns text[]
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select array_agg(
    case
      when r.place > p_after then concat_ws(
        ' ', r.path, encode(case when r.place <= p_middle then p_right else p_left end, 'hex')
      )
      else r.path
    end
    order by r.ordinality
  )
  from unnest(p_paths, p_places) with ordinality as r (path, place, ordinality)
$$;

comment on function app.extend_paths is
  'Adds to the paths of rows the other half where two halves of a tree are joined; the left one has the places after '
  'p_after up to p_middle.';

-- Joins two halves as soon as both are complete, so that only one hash of each size is kept, however many rows there
-- are. What is left at the end are the complete trees of RFC 6962, which are joined from the right.
create or replace function app.tree_of_month(
  p_month date, p_secret bytea, p_uid bigint, out row_count bigint, out root bytea, out proofs jsonb
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set jit = off
as $$
declare
  v_bounds record := app.month_bounds(p_month);
  v_inner bytea := app.hmac_pad(p_secret, 54);
  v_outer bytea := app.hmac_pad(p_secret, 92);
  v_halves bytea[] := array[]::bytea[];
  v_places bigint[] := array[]::bigint[];
  v_paths text[] := array[]::text[];
  v_rows jsonb[] := array[]::jsonb[];
  v_last bigint;
  v_level integer;
  v_size bigint;
  v_start bigint;
  v_node bytea;
  v_uid bigint;
  v_text text;
  v_salt bytea;
begin
  row_count := 0;
  for v_uid, v_text, v_salt, v_node in execute $sql$
    select s.uid, s.text, s.salt, sha256('\x00' || s.salt || convert_to(s.text, 'UTF8')) as hash
    from (
      select l.*, sha256($2 || sha256($1 || convert_to(l.id::text, 'UTF8'))) as salt from app.leaves($3, $4) as l
      order by l.add_time, l.id offset 0
    ) as s
  $sql$ using v_inner, v_outer, v_bounds.begins_at, v_bounds.ends_at loop
    row_count := row_count + 1;
    if v_uid = p_uid then
      v_last := row_count;
      v_places := v_places || row_count;
      v_paths := v_paths || ''::text;
      v_rows := v_rows || jsonb_build_object('place', row_count - 1, 'salt', encode(v_salt, 'hex'), 'text', v_text);
    end if;
    v_level := 1;
    v_size := 1;
    while row_count & v_size = 0 loop
      if v_last > row_count - 2 * v_size then
        v_paths := app.extend_paths(
          v_paths, v_places, row_count - 2 * v_size, row_count - v_size, v_halves[v_level], v_node
        );
      end if;
      v_node := sha256('\x01' || v_halves[v_level] || v_node);
      v_level := v_level + 1;
      v_size := 2 * v_size;
    end loop;
    v_halves[v_level] := v_node;
  end loop;
  for v_level in 1..cardinality(v_halves) loop
    v_size := 1::bigint << (v_level - 1);
    continue when row_count & v_size = 0;
    v_start := row_count / (2 * v_size) * 2 * v_size;
    if root is null then
      root := v_halves[v_level];
    else
      v_paths := app.extend_paths(v_paths, v_places, v_start, v_start + v_size, v_halves[v_level], root);
      root := sha256('\x01' || v_halves[v_level] || root);
    end if;
  end loop;
  root := coalesce(root, sha256(''));
  proofs := (
    select coalesce(
      jsonb_agg(
        r.of_row || jsonb_build_object('path', to_jsonb(string_to_array(ltrim(r.path), ' '))) order by r.ordinality
      ),
      '[]'
    )
    from unnest(v_rows, v_paths) with ordinality as r (of_row, path, ordinality)
  );
end
$$;

comment on function app.tree_of_month is
  'Returns the number of bill rows of a month, the root of the hash tree over them (docs/seals.md), and a proof '
  '{place, salt, text, path} for each row of p_uid. p_secret is the secret of the month.';

create or replace function app.month_root(p_month text, p_secret text)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_month date := app.month_start(p_month);
  v_before app.month_seals;
  v_tree record;
begin
  if not exists (select from app.closed_months as c where c.month = v_month) then
    perform app.fail('invalid_argument', format('The month %s is not closed. Only closed months are sealed.', p_month));
  end if;
  select s.* into v_before from app.month_seals as s where s.month = (v_month - interval '1 month')::date;
  v_tree := app.tree_of_month(v_month, app.require_hex(p_secret, 32, '/secret'), null);
  return jsonb_build_object(
    'month', p_month, 'rows', v_tree.row_count, 'root', encode(v_tree.root, 'hex'), 'previous',
    encode(v_before.root, 'hex'),
    'former_key', encode(v_before.public_key, 'hex'), 'seal', app.seal_json(v_month)
  );
end
$$;

comment on function app.month_root is
  'Returns what the seal of a closed month must have: its rows and root now, the root and key of the month before, '
  'and its seal or null. Raises invalid_argument if the month is open.';

create or replace function app.month_to_seal()
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select to_char(min(c.month), 'YYYY-MM') from app.closed_months as c
  where c.month = (select max(s.month) + interval '1 month' from app.month_seals as s)
    or not exists (select from app.month_seals)
$$;

comment on function app.month_to_seal is
  'Returns the month to seal next, YYYY-MM: the one after the last seal, or without a seal the oldest closed month; '
  'null if there is none.';

-- The signature is of another program, so it is verified where it is read.
-- Locks: app.month_seals, so that one seal follows another.
-- Idempotent: a seal of the same root is left as it is.
create or replace function app.record_seal(
  p_month text, p_rows bigint, p_root text, p_previous text, p_key text, p_signature text, p_former_signature text,
  p_former_key_is_lost boolean, p_now timestamptz
)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_month date := app.month_start(p_month);
  v_root bytea := app.require_hex(p_root, 32, '/root');
  v_key bytea := app.require_hex(p_key, 32, '/key');
  v_signature bytea := app.require_hex(p_signature, 64, '/signature');
  v_former_signature bytea := case
    when p_former_signature is not null then app.require_hex(p_former_signature, 64, '/former_signature')
  end;
  v_seal app.month_seals;
  v_last app.month_seals;
  v_closed_rows bigint;
begin
  lock table app.month_seals in share row exclusive mode;
  select s.* into v_seal from app.month_seals as s where s.month = v_month;
  select s.* into v_last from app.month_seals as s order by s.month desc limit 1;
  select (app.closed_month_json(c) #>> '{total, rows}')::bigint into v_closed_rows from app.closed_months as c
  where c.month = v_month;
  if v_seal.root = v_root then
    return app.seal_json(v_month);
  elsif v_seal.month is not null then
    perform app.fail('invalid_argument', format('The month %s is sealed with another root.', p_month));
  elsif v_closed_rows is null then
    perform app.fail('invalid_argument', format('The month %s is not closed. Only closed months are sealed.', p_month));
  elsif v_last.month is not null and v_month <> v_last.month + interval '1 month' then
    perform app.fail('invalid_argument', format(
      'Months are sealed in sequence. The last one is %s, so the next one is %s.', to_char(v_last.month, 'YYYY-MM'),
      to_char(v_last.month + interval '1 month', 'YYYY-MM')
    ));
  elsif p_previous is distinct from encode(v_last.root, 'hex') then
    perform app.fail('invalid_argument', 'The seal does not name the root of the month before.', '/previous');
  elsif p_rows is distinct from v_closed_rows then
    perform app.fail(
      'invalid_argument',
      format('The month %s had %s rows when it was closed, and has another number now.', p_month, v_closed_rows)
    );
  elsif v_last.public_key <> v_key and v_former_signature is null and p_former_key_is_lost is not true then
    perform app.fail(
      'invalid_argument',
      format(
        'The month before was sealed with the key %s, which must vouch for a new key unless it is lost.',
        encode(v_last.public_key, 'hex')
      ),
      '/key'
    );
  end if;
  insert into app.month_seals (month, row_count, root, previous, public_key, signature, former_signature, sealed_at)
  values (v_month, p_rows, v_root, v_last.root, v_key, v_signature, v_former_signature, p_now);
  return app.seal_json(v_month);
end
$$;

comment on function app.record_seal is
  'Records the seal of a closed month, the first one or that after the last seal, and returns it. Raises '
  'invalid_argument if it does not follow, if rows or root differ, or if a new key has no signature of the former '
  'one, unless that is lost.';

create or replace function app.statement_proof(p_uid bigint, p_month text, p_secret text)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_month date := app.month_start(p_month);
  v_root bytea := (select s.root from app.month_seals as s where s.month = v_month);
  v_tree record;
begin
  if v_root is null then
    perform app.fail('month_not_sealed', format('The month %s is not sealed.', p_month));
  elsif p_secret is null then
    perform app.fail('seals_not_configured');
  end if;
  v_tree := app.tree_of_month(v_month, app.require_hex(p_secret, 32, '/secret'), p_uid);
  if v_tree.root <> v_root then
    perform app.fail('seal_differs');
  end if;
  return jsonb_build_object('uid', p_uid, 'seal', app.seal_json(v_month), 'rows', v_tree.proofs);
end
$$;

comment on function app.statement_proof is
  'Returns what proves that the bill rows of a member are in the seal of a month: {uid, seal, rows} '
  '(app.tree_of_month). Raises month_not_sealed, seals_not_configured without p_secret, and seal_differs if the rows '
  'do not give the root.';
