/** Matches a text with any line breaks. */
const pattern = (text: string) =>
  text
    .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll(" ", "\\s+")
    .replaceAll("\\(", "\\(\\s*")
    .replaceAll("\\)", "\\s*\\)");

/** Removes a text from the source of a function. */
const without = (name: string, text: string, replacement = "") => `
  do $break$
  declare
    v_source text := pg_get_functiondef('${name}'::regproc);
    v_changed text := regexp_replace(v_source, $text$${pattern(text)}$text$, $text$${replacement}$text$, 'g');
  begin
    if v_changed = v_source then raise exception using message = $text$${name} has no: ${text}$text$; end if;
    execute v_changed;
  end $break$;`;

/** Mechanisms that can be removed on purpose. The suite must then find losses, doubles or differences. */
export const BREAKS = {
  idempotency: {
    what: "responses are not stored under their keys",
    sql: "create or replace function app.store_response(p_key text, p_fingerprint bytea, p_response jsonb, p_now timestamptz) returns void language sql as 'select'",
  },
  durability: {
    what: "writes are acknowledged before they are on disk",
    sql: "alter role store_api set synchronous_commit = off; select pg_terminate_backend(pid) from pg_stat_activity where usename = 'store_api'",
  },
  settlement: {
    what: "settlements take no locks and have no unique keys",
    sql: `
      alter table app.settlements drop constraint settlements_pkey cascade;
      alter table app.commission_maturities drop constraint commission_maturities_pkey;
      drop index app.settlements_one_live_order_per_place;
      ${without("app.run_settlement_jobs", "for update of o skip locked")}
      ${without("app.settle_orders", "where not exists (select from app.settlements as s where s.order_id = o.id offset 0)")}`,
  },
  release: {
    what: "releases have no unique key and do not look whether a day is released",
    sql: `
      alter table app.points_release_log drop constraint points_release_log_pkey cascade;
      ${without("app.release_candidates", "and not exists (select from app.points_release_log as l where l.uid = b.uid and l.release_date = p_release_date offset 0)")}
      ${without("app.release_members", "where l.uid not in (select g.uid from app.points_release_log as g where g.uid = any (v_uids) and g.release_date = p_release_date)", "where true")}`,
  },
  jobs: {
    what: "payments write no settlement job",
    sql: without(
      "app.pay_locked_order",
      "where p.brokerage_timing = 'on_pay' and v_order.has_queue_goods",
      "where false",
    ),
  },
  events: {
    what: "payments are told to nobody",
    sql: without(
      "app.pay_locked_order",
      "perform app.write_event('order.paid', v_order.id, v_order.uid, jsonb_build_object('pay_price', v_order.pay_price::text), v_now);",
    ),
  },
} as const;

export type Break = keyof typeof BREAKS;
