-- Nobody but the owner creates temporary objects: a temporary type of the name of another one is a way to run code inside a
-- function of the owner (docs/access.md). Only the owner of the database can take the right from PUBLIC. Where the migrations
-- run as somebody else, Postgres warns and goes on, and the configuration check reports what is left (app.verify_access).
do $$
begin
  execute pg_catalog.format('revoke temporary on database %I from public', pg_catalog.current_database());
exception when insufficient_privilege then
  raise warning 'PUBLIC keeps the right to create temporary objects in this database; its owner can revoke it';
end
$$;
