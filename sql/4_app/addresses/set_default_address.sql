-- Precondition: the caller has locked the address book.
create or replace function app.set_default_address(p_uid bigint, p_id bigint)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Two statements, because a member has one default at any moment.
  update app.addresses as a set is_default = false where a.uid = p_uid and a.is_default and a.id <> p_id;
  update app.addresses as a set is_default = true where a.uid = p_uid and not a.is_default and a.id = p_id;
end
$$;

comment on function app.set_default_address is 'Makes an address of a member the default one, in place of another.';
