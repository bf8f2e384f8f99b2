-- Empties the tables that a new shard receives from the home. The rows of a new store would collide with those. As a
-- replica, so that no foreign key and no trigger that protects history prevents it.
set session_replication_role = replica;
delete from app.agent_level_tasks;
delete from app.agent_levels;
delete from app.carriers;
delete from app.level_versions;
delete from app.commission_plans;
delete from app.products;
delete from app.settings;
reset session_replication_role;
