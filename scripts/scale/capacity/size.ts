import { type Capacity, capacityOf, DAYS_PER_MONTH, type Plan, SECONDS_PER_DAY } from "./costs.ts";
import type { Model } from "./model.ts";
import { COMPUTE_SIZES, type ComputeSize, PRICES, priceOf } from "./supabase.ts";

const GIGABYTE = 1e9;

/** What no measurement of `measured.json` says. docs/size_and_cost.md has these figures with their sources. */
export const ASSUMED = {
  /** Members who use the store in a month. */
  activeShare: 0.3,
  /** Requests of such a member in a month, and the bytes of a response. */
  requests: 100,
  response: 10_000,
  /** Bytes of the database of a new store in a new project, and of what Auth keeps of a member. */
  newStore: 70e6,
  account: 3_000,
  /** Connections: of two instances of functions, of jobs that are due in one minute, of people, of Supabase itself. */
  connections: { functions: 12, jobs: 15, people: 10, platform: 20 },
  /** The share of the memory that holds the rows of the members, which every order reads and writes. */
  memoryShare: 0.25,
  /** Gigabytes of disk for each gigabyte of the database. */
  diskFactor: 1.2,
  /** Months that are not compacted: the current one, and the last one, whose original stays for 14 days. */
  wholeMonths: 2,
} as const;

/** Members with frozen points from whom on docs/size_and_cost.md recommends compaction. */
export const COMPACT_FROM = 200_000;

/** What a store needs of a hosted project. */
export interface Size {
  /** Bytes of the database after the months of the plan, and those that each further year adds. */
  database: number;
  growth: number;
  /** Bytes of write-ahead log a day. */
  log: number;
  connections: number;
  /** Requests of the busiest second. */
  requests: number;
  /** The smallest compute size that is large enough; undefined if none is. */
  compute: ComputeSize | undefined;
}

/** Requests of the members in a month. */
const requestsOf = ({ members }: Plan) => members * ASSUMED.activeShare * ASSUMED.requests;

/** Each session of a night after the first is one more than the jobs. */
const connectionsOf = ({ nightSessions }: Plan) =>
  Object.values(ASSUMED.connections).reduce((sum, each) => sum + each, nightSessions - 1);

/**
 * The smallest compute size that is large enough for a store. The processors of the requests are left out: where they
 * would count, database and memory need a larger size (docs/performance.md).
 * @param capacity that of the plan
 * @param database bytes of the database
 * @returns undefined if no size is
 */
const computeFor = (plan: Plan, { cores, disk }: Capacity, database: number): ComputeSize | undefined =>
  COMPUTE_SIZES.find(
    (size) =>
      database <= size.database * GIGABYTE &&
      disk.members <= size.memory * GIGABYTE * ASSUMED.memoryShare &&
      cores.orders <= size.processors &&
      connectionsOf(plan) <= size.connections,
  );

/**
 * Computes what a store needs of a hosted project.
 * @param database bytes of its database, if they are known
 */
export function sizeOf(model: Model, plan: Plan, database?: number): Size {
  const capacity = capacityOf(model, plan);
  const expected = ASSUMED.newStore + plan.members * ASSUMED.account + capacity.disk.total;
  const { disk } = capacityOf(model, { ...plan, months: 12, compactedMonths: plan.compactedMonths > 0 ? 12 : 0 });
  return {
    database: expected,
    growth: disk.orders + disk.bill + disk.releases,
    log: capacity.log.total,
    connections: connectionsOf(plan),
    requests: (requestsOf(plan) / DAYS_PER_MONTH / SECONDS_PER_DAY) * plan.peak,
    compute: computeFor(plan, capacity, database ?? expected),
  };
}

/** USD a month of a store in a project of its own. */
export interface Price {
  /** The plan and the compute size. */
  server: number;
  disk: number;
  /** Active users, invocations of functions and egress. */
  use: number;
  total: number;
}

/**
 * Computes what a store costs in a month.
 * @param hasRecovery whether with point-in-time recovery
 * @returns undefined if no compute size is large enough
 */
export function priceOfStore(plan: Plan, { database, compute }: Size, hasRecovery: boolean): Price | undefined {
  if (!compute) return undefined;
  const smallest = COMPUTE_SIZES.find(({ name }) => name === PRICES.recovery.smallest)!;
  const { price } = hasRecovery && compute.price < smallest.price ? smallest : compute;
  const requests = requestsOf(plan);
  const server = PRICES.plan + Math.max(price - PRICES.computeCredit, 0) + (hasRecovery ? PRICES.recovery.price : 0);
  const disk = priceOf(PRICES.disk, (database / GIGABYTE) * ASSUMED.diskFactor);
  const use =
    priceOf(PRICES.users, plan.members * ASSUMED.activeShare) +
    priceOf(PRICES.functions, requests / 1e6) +
    priceOf(PRICES.egress, (requests * ASSUMED.response) / GIGABYTE);
  return { server, disk, use, total: server + disk + use };
}
