import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What the workload `capacity` measured in a store of one size. Processor time is in microseconds, the rest in bytes. */
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

/** The release of a store that is larger than those that the model is fitted to. */
export interface MeasuredRelease {
  members: number;
  reference: number;
  load: number;
  /** For each member: microseconds of processor time, and bytes of the log. */
  cpu: number;
  log: number;
  /** The whole release by the clock. */
  seconds: number;
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
  /** Not fitted: they show how far the model reaches. */
  releases?: MeasuredRelease[];
}

/** The file that `npm run bench -- capacity --capacity` writes and `npm run capacity` reads. */
export const measuredFile = join(import.meta.dirname, "measured.json");

export function readMeasured(): Measured {
  return JSON.parse(readFileSync(measuredFile, "utf8")) as Measured;
}
