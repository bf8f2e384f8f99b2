import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What the workload `capacity` measured in a store of one size. Processor time is in microseconds, the rest in bytes.
 */
export interface MeasuredStore {
  members: number;
  /** TPC-B of pgbench in one session, in the same run: microseconds of processor time for each transaction. */
  reference: number;
  /** Load average of the machine when the measurement of this size began. */
  load: number;
  /** Mean number of ancestors. */
  depth: number;
  /** Share of the orders that write the row of the root, and the largest share that write one row of anybody. */
  root_share: number;
  hottest_share: number;
  /** Orders between two checkpoints. */
  orders_per_checkpoint: number;
  bill_rows_per_order: number;
  /** On the disk, with all indexes. */
  disk: { member: number; order: number; order_bill_row: number; release_bill_row: number; release_log_row: number };
  /** Orders one by one, settled in batches of 50; releases for each member. */
  cpu: { place: number; pay: number; settle: number; team: number; release: number };
  log: { order_records: number; order_images: number; release: number };
  /** Nightly reconciliations, each with the orders that the store has settled and the rows that it has released. */
  nights: { orders: number; releases: number; cpu: number }[];
}

/** The cost of settling one order, in microseconds of processor time, as one number grows. */
export interface MeasuredOrder {
  size: number;
  cpu: number;
  reference: number;
}

/** Orders that all write the same row. */
export interface MeasuredRow {
  name: string;
  /** Processor time of one session that settles in batches, in microseconds for each order. */
  cpu: number;
  /** Orders per second of four sessions, by the clock. */
  speed: number;
  reference: number;
}

/** Milliseconds by the clock. */
export interface MeasuredWait {
  p50: number;
  p99: number;
}

/** What people waited for who placed, paid and settled orders and looked at their page, while something else ran. */
export interface MeasuredPeople {
  orders: number;
  place: MeasuredWait;
  pay: MeasuredWait;
  settle: MeasuredWait;
  page: MeasuredWait;
  /**
   * Share of the looks at running calls in which the call waited for a lock, and the longest wait that was seen, in
   * milliseconds.
   */
  waiting: number;
  longest_wait: number;
}

/** A job of the night. */
export interface MeasuredNight {
  /** Microseconds of processor time of each session, and megabytes of memory of its own. */
  sessions: { cpu: number; memory: number }[];
  /** By the clock. */
  seconds: number;
  people: MeasuredPeople;
}

/** A store of several trees with leaders, in which people order while the night runs. */
export interface MeasuredLarge {
  date: string;
  members: number;
  roots: number;
  /** Bytes of the database. */
  bytes: number;
  reference: number;
  load: number;
  /** Without a night. */
  people: MeasuredPeople;
  release: MeasuredNight;
  reconciliation: MeasuredNight;
  /** Microseconds of processor time of one call, in a session that has made it before. */
  reads: { name: string; cpu: number }[];
}

export interface Measured {
  date: string;
  machine: { processor: string; cores: number; memory_gb: number; postgres: string; shared_buffers: string };
  /** The least of the references, when the machine was least busy: the speed at which the model counts. */
  reference: number;
  stores: MeasuredStore[];
  /** By the number of ancestors of the buyer, one by one. */
  depths: MeasuredOrder[];
  /** By the number of direct members of the referrer, one by one. */
  fan_outs: MeasuredOrder[];
  rows: MeasuredRow[];
  /** Not fitted, apart from what `stores` has of it. */
  large?: MeasuredLarge;
}

/** The file that `npm run bench -- capacity --capacity` writes and `npm run capacity` reads. */
export const measuredFile = join(import.meta.dirname, "measured.json");

export function readMeasured(): Measured {
  return JSON.parse(readFileSync(measuredFile, "utf8")) as Measured;
}
