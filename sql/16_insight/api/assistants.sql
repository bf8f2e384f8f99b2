-- What assistants (language models) read for an administrator or a machine key: a read of the administration API,
-- recorded, and without personal data.

-- Not by the type of a value: a list of names that are shown would hide figures that are added later, and a test finds
-- what this list lacks.
create or replace function app.personal_fields(p_function text)
returns text[]
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select array[
    'nickname', 'referrer_nickname', 'avatar', 'phone', 'address', 'remark', 'account', 'account_no', 'holder', 'bank',
      'return_carrier', 'return_tracking_no',
    'last_problem', 'refusal_reason'
  ] || case when p_function <> 'get_settlement' then array['reason'] end
    || case when p_function = 'get_signals' then array['name', 'number'] end
$$;

comment on function app.personal_fields is
  'Returns the fields that hold, or may quote, what people entered about themselves, in the results of a function of '
  'schema api. The reason of a settlement is a word of the store. name and number of a signal are the ends of those '
  'in a document.';

create or replace function app.withhold(p_value jsonb, p_fields text[])
returns jsonb
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  return case jsonb_typeof(p_value)
    when 'object' then (
      select coalesce(jsonb_object_agg(e.key, case
        when e.key = any (p_fields) and e.value <> 'null' then '"withheld"' else app.withhold(e.value, p_fields)
      end), '{}')
      from jsonb_each(p_value) as e
    )
    when 'array' then (
      select coalesce(jsonb_agg(app.withhold(e.value, p_fields) order by e.place), '[]')
      from jsonb_array_elements(p_value) with ordinality as e (value, place)
    )
    else p_value
  end;
end
$$;

comment on function app.withhold is
  'Returns a value in which fields of these names say "withheld", at any depth. Null stays null.';

grant execute on function app.withhold(jsonb, text[]), app.personal_fields(text) to store_admin;

-- Security definer: client roles may neither read machine keys nor write the action log.
-- Precondition: nothing else has been written in the transaction.
-- Not idempotent: each call is recorded.
create or replace function app.call_tool(p_tool text, p_function text, p_args jsonb)
returns boolean
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(p_tool, '') !~ '^[a-z_]{1,64}$' or jsonb_typeof(p_args) is distinct from 'object' then
    perform app.fail('invalid_argument', 'A tool has a name of small letters, and an object of arguments.');
  elsif not exists (
    select from pg_proc as p where p.pronamespace = 'entry'::regnamespace and p.proname = p_function
  ) then
    perform app.fail('forbidden', 'Assistants only read.');
  elsif not (select s.assistants from app.settings as s) then
    perform app.fail('forbidden', 'Assistants are switched off in the settings of the store.');
  end if;
  perform app.record_action('call_tool', 'tool', p_tool, null, jsonb_build_object('arguments', (
    select coalesce(jsonb_object_agg(substr(a.key, 3), a.value), '{}')
    from jsonb_each(p_args) as a
    where a.key not in ('p_search', 'p_text') and jsonb_typeof(a.value) in ('string', 'number', 'boolean')
  )));
  -- From here on, Postgres itself refuses a write.
  perform set_config('transaction_read_only', 'on', true);
  return exists (
    select from app.machine_keys as k
    where k.id = (auth.jwt() ->> 'key')::bigint and 'personal:read' = any (app.working_scopes(k))
  );
end
$$;

comment on function app.call_tool is
  'Records the call of a tool without texts to search for, makes the rest of the transaction read-only, and returns '
  'whether the caller may read personal data. Raises forbidden for a function that writes or if assistants are '
  'switched off, and invalid_argument.';

grant execute on function app.call_tool(text, text, jsonb) to store_admin;

-- Security invoker: the read has the grants and policies of the caller, as if the administration API had called it.
-- Not idempotent: each call is recorded.
create or replace function api.call_tool(p_tool text, p_function text, p_args jsonb default '{}')
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_is_personal boolean;
  v_result jsonb;
begin
  -- What is called is the read, so its scope decides (app.require_key).
  perform set_config('store.called', p_function, true);
  perform app.require_admin(null);
  v_is_personal := app.call_tool(p_tool, p_function, p_args);
  perform set_config('store.withholds', case when v_is_personal then 'off' else 'on' end, true);
  v_result := app.call_api(p_function, p_args);
  return case when v_is_personal then v_result else app.withhold(v_result, app.personal_fields(p_function)) end;
end
$$;

comment on function api.call_tool is
  'Runs a reading function of schema api for an assistant and records the call (app.call_tool). Personal data is '
  'withheld (app.personal_fields) and names are not searched without the scope personal:read. Serves POST /mcp.';

grant execute on function api.call_tool(text, text, jsonb) to store_admin, store_key;
