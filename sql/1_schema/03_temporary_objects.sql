-- Client roles must not create temporary objects: with a temporary type that has the name of another type, code can be run inside
-- a function of the owner (docs/access.md). Only the owner of the database can revoke the right from PUBLIC. If the migrations run
-- as another role, this warns, and the configuration check reports it (app.verify_access).
do $$
begin
  execute pg_catalog.format('revoke temporary on database %I from public', pg_catalog.current_database());
exception when insufficient_privilege then
  raise warning 'PUBLIC keeps the right to create temporary objects in this database; its owner can revoke it';
end
$$;
