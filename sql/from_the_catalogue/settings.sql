-- The call that changes settings, with an argument for each row of app.declared_settings.

do $generate$
begin
  execute (
    select format(
      $definition$
        create or replace function api.set_settings(%s)
        returns jsonb
        language plpgsql
        volatile
        security definer
        set search_path = pg_catalog, pg_temp
        as $body$
        begin
          perform app.require_admin('system');
          return app.change_settings((select to_jsonb(c) from (select %s) as c));
        end
        $body$
      $definition$,
      string_agg(format('p_%s %s default null', s.name, case
        when s.kind = 'integer' then 'integer'
        when s.kind in ('number', 'percent', 'amount') then 'numeric'
        when s.kind = 'switch' then 'boolean'
        when s.kind in ('choices', 'minutes', 'origins', 'words', 'postal') then 'jsonb'
        else 'text'
      end), ', ' order by s.name),
      string_agg(format('p_%1$s as %1$I', s.name), ', ' order by s.name)
    )
    from app.declared_settings() as s
  );
end
$generate$;

comment on function api.set_settings is
  'Changes the given settings of the store and returns all of them; null leaves a setting as it is '
  '(app.change_settings). Serves PUT /adminapi/system/settings.';

grant execute on function api.set_settings to store_admin;
