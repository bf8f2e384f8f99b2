-- Notices by email to administrators who choose so: which, when one is due, and what it says.

create sequence app.notice_numbers;
comment on sequence app.notice_numbers is 'The numbers of notices by email.';

create table app.notice_choices (
  auth_id uuid primary key references app.administrators (auth_id) on delete cascade,
  kinds text[] not null,
  language text not null,
  minutes integer not null,
  told text[] not null default '{}',
  notice_no bigint,
  noticed_at timestamptz,
  constraint one_to_a_hundred_kinds_are_chosen check (cardinality(kinds) between 1 and 100),
  constraint no_kind_is_null check (array_position(kinds, null) is null),
  constraint language_is_known check (language in ('en', 'zh')),
  constraint minutes_are_one_of_the_choices check (minutes in (15, 60, 240, 1440)),
  constraint notice_no_iff_noticed_at check ((notice_no is null) = (noticed_at is null))
);
comment on table app.notice_choices is
  'The notices by email that administrators chose: kinds of app.waiting_kinds, language, and the least minutes '
  'between two. No row: no notices.';
comment on column app.notice_choices.told is 'Kind and item (app.waiting_items) of what waits and was told.';
comment on column app.notice_choices.notice_no is 'The latest notice, whose number is its key in the outbox.';

alter table app.notice_choices enable row level security;
create policy admins_read_notice_choices on app.notice_choices for select to store_admin, service_role using (true);
grant select on app.notice_choices to store_admin, service_role;

create or replace function app.mail_is_set_up()
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (select from app.function_settings as f where 'STORE_SMTP_URL' = any (f.variables))
$$;

comment on function app.mail_is_set_up is 'Returns whether the edge functions have reported a mail server.';

grant execute on function app.mail_is_set_up() to store_admin;

create or replace function app.noticed_kinds(p_choices app.notice_choices)
returns text[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select array(
    select k.kind
    from auth.users as u cross join app.waiting_kinds_of(u.id) as k
    where u.id = p_choices.auth_id and app.is_active_administrator(u) and u.email_confirmed_at is not null
      and k.kind = any (p_choices.kinds)
    order by k.place
  )
$$;

comment on function app.noticed_kinds is
  'Returns the chosen kinds that the roles of an administrator still allow; none without an active account and a '
  'confirmed address.';

-- A notice that was not sent yet is replaced: the new one says everything. Its text is composed when it is sent.
-- Locks: the choices of the administrator.
-- Idempotent: what is told is stored in the same transaction, so a repeated or concurrent call finds nothing new.
create or replace function app.write_notice(p_auth_id uuid, p_now timestamptz)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_choices app.notice_choices;
  v_waits text[];
  v_is_new boolean;
begin
  select c.* into v_choices from app.notice_choices as c where c.auth_id = p_auth_id for update;
  v_waits := array(
    select distinct concat_ws(' ', i.kind, i.item) as what
    from app.waiting_items(p_auth_id, app.noticed_kinds(v_choices), p_now) as i order by what
  );
  v_is_new := exists (select unnest(v_waits) except select unnest(v_choices.told))
    and v_choices.noticed_at + make_interval(mins => v_choices.minutes) > p_now is not true;
  if not v_is_new then
    -- What waits again later is new then.
    v_waits := array(
      select t.what from unnest(v_choices.told) as t (what) where t.what = any (v_waits) order by t.what
    );
    update app.notice_choices as c set told = v_waits where c.auth_id = p_auth_id and c.told <> v_waits;
    return false;
  end if;
  perform app.finish_outbox('notice', v_choices.notice_no::text);
  update app.notice_choices as c set told = v_waits, notice_no = nextval('app.notice_numbers'), noticed_at = p_now
  where c.auth_id = p_auth_id
  returning c.* into v_choices;
  perform app.add_to_outbox(
    'notice', v_choices.notice_no::text, jsonb_build_object('notice_no', v_choices.notice_no), p_now, p_now
  );
  return true;
end
$$;

comment on function app.write_notice is
  'Adds a notice for an administrator to the outbox if something waits that was not told, and the last notice is old '
  'enough. Returns whether it did.';

-- Locks: the choices, in the order of their administrators.
-- Idempotent: see app.write_notice.
create or replace function app.write_notices()
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if app.mail_is_set_up() then
    perform app.write_notice(c.auth_id, clock_timestamp())
    from (select n.auth_id from app.notice_choices as n order by n.auth_id) as c;
  end if;
end
$$;

comment on function app.write_notices is 'Writes the notices that are due, if there is a mail server. A scheduled job.';

create or replace function app.notice_json(p_notice_no bigint, p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'to', u.email, 'language', c.language, 'site_name', s.site_name,
    'list', jsonb_agg(jsonb_build_object('kind', w.kind, 'count', w.count, 'is_more', w.is_more) order by w.place)
  )
  from app.notice_choices as c
  join auth.users as u on u.id = c.auth_id
  cross join app.settings as s
  cross join lateral (
    select l.value ->> 'kind' as kind, (l.value ->> 'count')::integer as count,
      (l.value -> 'is_more')::boolean as is_more, l.place
    from jsonb_array_elements(app.waiting_json(c.auth_id, p_now) -> 'list') with ordinality as l (value, place)
  ) as w
  where c.notice_no = p_notice_no and w.count > 0 and w.kind = any (app.noticed_kinds(c))
  group by u.email, c.language, s.site_name
$$;

comment on function app.notice_json is
  'Returns the address of a notice and what it says: what waits now, of the chosen kinds; null if nothing does, or if '
  'it was replaced.';
