import type postgres from "postgres";
import { DAYS_PER_MONTH, type Plan, usualPlan } from "../scale/capacity/costs.ts";
import { readMeasured } from "../scale/capacity/measured.ts";
import { fitModel } from "../scale/capacity/model.ts";
import { COMPACT_FROM, sizeOf } from "../scale/capacity/size.ts";
import { COMPUTE_SIZES } from "../scale/capacity/supabase.ts";
import { type Finding, ok, skipped, warning } from "./finding.ts";

const DOCUMENT = "docs/size_and_cost.md";
/** A database that is that many times as large as expected is reported, if it is larger by as many bytes. */
const [TOO_LARGE, TOLERATED] = [2, 1e9];
const LARGEST =
  "select c.oid::regclass, pg_size_pretty(pg_total_relation_size(c.oid)) from pg_class as c where c.relkind = 'r' order by pg_total_relation_size(c.oid) desc limit 20;";
/** The share of the connections from which on they are reported. */
const NEARLY_ALL = 0.8;

/** How large a store is, and how busy. */
export interface StoreSize {
  members: number;
  /** Days since the first paid order or release; at least 1. */
  days: number;
  /** Paid orders, all and of the last 30 days. */
  orders: number;
  recentOrders: number;
  /** Releases of members, all, those that are compacted, and those of the last night. */
  releases: number;
  compactedReleases: number;
  lastReleases: number;
  /** Whether the job is on, or a month was compacted by hand of late. */
  isCompacting: boolean;
  /** Sessions of each nightly job. */
  nightSessions: number;
  /** Bytes of the database. */
  database: number;
  /** Connections in use, and the most that there can be: of the server, and of role store_api. */
  connections: { inUse: number; limit: number; ofFunctions: number; limitOfFunctions: number };
}

/** Reads how large a store is. */
export async function readStoreSize(sql: postgres.Sql): Promise<StoreSize> {
  const [store] = await sql<Omit<StoreSize, "connections">[]>`
    with orders as (
      select count(*)::float8 as count, min(o.paid_at) as since,
        count(*) filter (where o.paid_at > now() - interval '30 days')::float8 as recent
      from app.orders as o where o.paid_at is not null
    ), runs as (
      select coalesce(sum(r.users), 0)::float8 as count, min(r.release_date) as since from app.release_runs as r
    )
    select
      (select count(*) from app.users)::float8 as members,
      greatest(extract(epoch from now() - least(o.since, r.since)) / 86400, 1)::float8 as days,
      o.count as orders, o.recent as "recentOrders", r.count as releases,
      (select coalesce(sum(c.releases), 0) from app.compacted_months as c where c.state = 'compacted')::float8 as "compactedReleases",
      coalesce(
        (select l.users from app.release_runs as l where l.finished_at is not null order by l.release_date desc limit 1), 0
      )::float8 as "lastReleases",
      (select j.is_active from app.scheduled_jobs as j where j.name = 'compact_due_months')
        or exists (select from app.compacted_months as c where c.compacted_at > now() - interval '2 months') as "isCompacting",
      (select s.night_sessions from app.settings as s)::float8 as "nightSessions",
      pg_database_size(current_database())::float8 as database
    from orders as o cross join runs as r`;
  const [connections] = await sql<StoreSize["connections"][]>`
    select
      count(*)::float8 as "inUse", current_setting('max_connections')::float8 as "limit",
      count(*) filter (where a.usename = 'store_api')::float8 as "ofFunctions",
      (select r.rolconnlimit from pg_roles as r where r.rolname = 'store_api')::float8 as "limitOfFunctions"
    from pg_stat_activity as a where a.datname is not null`;
  return { ...store!, connections: connections! };
}

/** The model divides by the members. */
const usualOf = (members: number) => usualPlan(Math.max(members, 1));

/** The plan by which the store has reached its size. */
function planSoFar({ members, days, orders, releases, compactedReleases, nightSessions }: StoreSize): Plan {
  const months = days / DAYS_PER_MONTH;
  return {
    ...usualOf(members),
    ordersPerDay: orders / days,
    membersWithPoints: releases / days,
    months,
    compactedMonths: releases > 0 ? (months * compactedReleases) / releases : 0,
    nightSessions,
  };
}

/** The plan of the next year, if the pace stays as it is. */
const planOfNextYear = ({ members, recentOrders, lastReleases, isCompacting, nightSessions }: StoreSize): Plan => ({
  ...usualOf(members),
  ordersPerDay: recentOrders / 30,
  membersWithPoints: lastReleases,
  compactedMonths: isCompacting ? 12 : 0,
  nightSessions,
});

const gigabytes = (bytes: number) => `${Number((bytes / 1e9).toPrecision(2))} GB`;
const whole = (value: number) => value.toLocaleString("en");

/** Compares the size of a store with what docs/size_and_cost.md computes for it. */
export function judgeSize(store: StoreSize): Finding[] {
  return [...databaseFindings(store), ...connectionFindings(store), ...compactionFindings(store)];
}

function databaseFindings(store: StoreSize): Finding[] {
  const { members, database, connections } = store;
  const model = fitModel(readMeasured());
  const next = planOfNextYear(store);
  const expected = sizeOf(model, planSoFar(store)).database;
  const { growth, compute } = sizeOf(model, next, database);
  const later = sizeOf(model, next, database + growth).compute;
  const nameOf = (size: typeof compute) => size?.name ?? `more than ${COMPUTE_SIZES.at(-1)!.name}`;
  const message =
    `${whole(members)} members, ${gigabytes(database)} (expected ${gigabytes(expected)}), ${gigabytes(growth)} more in a year: ` +
    `fits compute size ${nameOf(compute)}${later === compute ? "" : `, then ${nameOf(later)}`}`;
  // The database cannot ask for the compute size, but each has a number of connections of its own. Other servers have
  // another number.
  const present = COMPUTE_SIZES.findLast((size) => size.connections === connections.limit);
  return [
    database > TOO_LARGE * expected && database - expected > TOLERATED
      ? warning(
          "size",
          `${message}. That is more than ${TOO_LARGE} times the expected size`,
          `In the SQL editor: ${LARGEST}   # ${DOCUMENT}`,
        )
      : ok("size", message),
    ...(present && present !== compute && present.price < (compute?.price ?? Infinity)
      ? [
          warning(
            "size",
            `the server accepts ${present.connections} connections, as compute size ${present.name} does, but the store needs ${nameOf(compute)}`,
            `Dashboard, Compute and Disk: choose ${nameOf(compute)}, which restarts the database   # ${DOCUMENT}`,
          ),
        ]
      : []),
  ];
}

function connectionFindings({ connections: { inUse, limit, ofFunctions, limitOfFunctions } }: StoreSize): Finding[] {
  const message = `${inUse} of ${limit} connections are in use, ${ofFunctions} of ${limitOfFunctions} by the functions`;
  if (inUse < NEARLY_ALL * limit && ofFunctions < NEARLY_ALL * limitOfFunctions) return [ok("size", message)];
  return [
    warning(
      "size",
      message,
      `Find who holds them: select usename, application_name, state, count(*) from pg_stat_activity group by 1, 2, 3. STORE_DB_URL has to name the transaction pooler (port 6543), a larger compute size has more   # ${DOCUMENT}`,
    ),
  ];
}

function compactionFindings({ lastReleases, isCompacting }: StoreSize): Finding[] {
  if (isCompacting || lastReleases < COMPACT_FROM) return [];
  return [
    warning(
      "size",
      `${whole(lastReleases)} members get a release each night, and no month is compacted: releases are most of the database`,
      `Seal the months and compact them: docs/scale.md, Compact, expand   # ${DOCUMENT}`,
    ),
  ];
}

/** Compares the size of the store with what docs/size_and_cost.md says of it. */
export async function sizeFindings(sql: postgres.Sql): Promise<Finding[]> {
  const [store] = await sql<{ is_old: boolean }[]>`select to_regclass('app.compacted_months') is null as is_old`;
  if (store?.is_old) return [skipped("size", "the store is of a version before 1.0.0", "npm run upgrade -- --check")];
  return judgeSize(await readStoreSize(sql));
}
