-- The pages of lists and long logs, and the cursors of logs and files. Every list has the form that decision 0075
-- shows: its filters once, as `matching`, its rows, and their order.

create or replace function app.check_page(p_page integer, p_limit integer)
returns bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_page is null or p_page not between 1 and 1000000 then
    perform app.fail('invalid_argument', 'page starts at 1.');
  elsif p_limit is null or p_limit not between 1 and 100 then
    perform app.fail('invalid_argument', 'limit is between 1 and 100.');
  end if;
  return (p_page - 1)::bigint * p_limit;
end
$$;

comment on function app.check_page is
  'Returns the number of rows to skip. Raises invalid_argument unless the page is at least 1 and the limit between 1 '
  'and 100.';

grant execute on function app.check_page(integer, integer) to anon, authenticated, store_admin;

-- A list has its keys as a literal in this call, because `npm run gen` reads them there for its route.
create or replace function app.check_sort(p_sort text, p_keys text[], out key text, out direction text, out beyond text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  key := substring(p_sort from '^-?(.*)$');
  direction := case when p_sort like '-%' then 'desc' else 'asc' end;
  beyond := case when p_sort like '-%' then '<' else '>' end;
  if p_sort is null or key <> all (p_keys) then
    perform app.fail('invalid_argument', format(
      'sort is %s or %s, with a leading - for descending.', array_to_string(trim_array(p_keys, 1), ', '),
      p_keys[cardinality(p_keys)]
    ));
  end if;
end
$$;

comment on function app.check_sort is
  'Returns the parts of a sort: one of p_keys, asc or desc, and < or > by which later rows compare. Raises '
  'invalid_argument for any other key.';

grant execute on function app.check_sort(text, text[]) to store_admin;

create or replace function app.id_list(p_ids jsonb, p_most integer)
returns bigint[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids bigint[];
begin
  -- Checked first, because jsonb_array_elements fails for a value that is not an array.
  if (case when jsonb_typeof(p_ids) = 'array' then jsonb_array_length(p_ids) <= p_most end) then
    v_ids := array(
      select (e.value)::bigint from jsonb_array_elements(p_ids) with ordinality as e (value, place)
      where jsonb_typeof(e.value) = 'number' and e.value::text ~ '^[1-9][0-9]{0,15}$' order by e.place
    );
    if cardinality(v_ids) < jsonb_array_length(p_ids) then
      return null;
    end if;
  end if;
  return v_ids;
end
$$;

comment on function app.id_list is
  'Returns the ids of a JSON array in their sequence. Null unless it is an array of at most p_most ids.';

grant execute on function app.id_list(jsonb, integer) to store_admin;

create or replace function app.require_ids(p_ids jsonb)
returns bigint[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_given bigint[] := app.id_list(p_ids, 1000);
  v_ids bigint[] := array(select distinct g.id from unnest(v_given) as g (id) order by g.id);
begin
  if cardinality(v_ids) = 0 or cardinality(v_ids) < cardinality(v_given) then
    perform app.fail('invalid_argument', 'Name 1 to 1000 different ids.', '/ids');
  end if;
  return v_ids;
end
$$;

comment on function app.require_ids is
  'Returns the ids of a JSON array, ascending. Raises invalid_argument unless it has 1 to 1000 different ids.';

create or replace function app.require_sequence(p_ids jsonb, p_most integer, p_field text)
returns bigint[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids bigint[] := app.id_list(p_ids, p_most);
begin
  if v_ids is null or (select count(distinct i.id) < count(*) from unnest(v_ids) as i (id)) then
    perform app.fail('invalid_argument', format('Name at most %s different ids.', p_most), p_field);
  end if;
  return v_ids;
end
$$;

comment on function app.require_sequence is
  'Returns the ids of a JSON array in their sequence. Raises invalid_argument unless it has at most p_most different '
  'ids.';

-- Without the names themselves, whoever searches by them letter by letter would still read them.
create or replace function app.may_search_names()
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(current_setting('store.withholds', true), '') <> 'on'
$$;

comment on function app.may_search_names is
  'Returns whether the caller may find members by their names: false for an assistant from whom names are withheld '
  '(api.call_tool).';

grant execute on function app.may_search_names() to store_admin;

create or replace function app.search_number(p_text text)
returns bigint
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select case when p_text ~ '^[1-9][0-9]{0,17}$' then p_text::bigint end
$$;

comment on function app.search_number is 'Returns the number that a search text is; null if it is none.';

grant execute on function app.search_number(text) to store_admin;

create or replace function app.list_json(p_list jsonb, p_count bigint)
returns jsonb
language sql
stable
as $$
  select pg_catalog.jsonb_build_object('list', coalesce(p_list, '[]'), 'count', p_count)
$$;

comment on function app.list_json is
  'Returns a page of a list, {list, count}; count is the number of all rows that match.';

grant execute on function app.list_json(jsonb, bigint) to anon, authenticated, store_admin;

create or replace function app.line_position(p_cursor text, out add_time timestamptz, out id bigint)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_cursor is null then
    add_time := '-infinity';
    id := 0;
    return;
  end if;
  begin
    add_time := split_part(p_cursor, '_', 1)::timestamptz;
    id := split_part(p_cursor, '_', 2)::bigint;
  exception when others then
    perform app.fail('invalid_argument', 'cursor was not returned by this list.');
  end;
end
$$;

comment on function app.line_position is
  'Returns the position after which the next chunk of a CSV file starts, oldest rows first: that of the cursor '
  '(app.make_cursor), or the beginning.';

grant execute on function app.line_position(text) to authenticated, store_admin;

create or replace function app.list_position(
  p_page integer, p_limit integer, p_cursor text, p_direction text default 'desc', out skip bigint,
  out add_time timestamptz, out id bigint
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  skip := app.check_page(p_page, p_limit);
  if p_cursor is not null then
    skip := 0;
  elsif p_direction = 'desc' then
    add_time := 'infinity';
    id := 9223372036854775807;
    return;
  end if;
  select p.add_time, p.id into add_time, id from app.line_position(p_cursor) as p;
end
$$;

comment on function app.list_position is
  'Returns where a page of a long log starts: after the row of the cursor (app.make_cursor), or at the newest row, '
  'with p_direction asc the oldest. skip is 0 with a cursor.';

grant execute on function app.list_position(integer, integer, text, text) to authenticated, store_admin;

create or replace function app.make_cursor(p_add_time timestamptz, p_id bigint)
returns text
language sql
stable
as $$
  select pg_catalog.to_char(p_add_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || p_id
$$;

comment on function app.make_cursor is
  'Returns the cursor of a row of a long log, exact to the microsecond: <time>_<id>.';

grant execute on function app.make_cursor(timestamptz, bigint) to authenticated, store_admin;

create or replace function app.log_json(p_list jsonb, p_count bigint, p_cursors text[], p_limit integer)
returns jsonb
language sql
stable
as $$
  select pg_catalog.jsonb_build_object(
    'list', coalesce(p_list, '[]'), 'count', p_count, 'next_cursor', p_cursors[p_limit]
  )
$$;

comment on function app.log_json is
  'Returns a page of a long log, {list, count, next_cursor}. p_cursors has the cursor of each row; next_cursor is null '
  'unless the page is full.';

grant execute on function app.log_json(jsonb, bigint, text[], integer) to authenticated, store_admin;
