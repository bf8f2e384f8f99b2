import type { Measured } from "../scale/capacity/measured.ts";
import type { ShowDetail } from "../ground/progress.ts";
import type { BenchServer } from "./bench_server.ts";
import type { LoadResult } from "./pgbench.ts";

/** The sizes of the measurements. */
export interface Size {
  /** Members of the tree that orders are settled over. */
  tree: number;
  /** Sizes for which a cost must be the same. */
  members: number[];
  chains: number[];
  /** Numbers of waiting jobs to settle. */
  backlogs: number[];
  /** Orders in the simulated period. */
  simulated: number[];
  /** Members whose points are released. */
  released: number[];
  /** Bill rows of stores whose nightly reconciliation is measured. */
  histories: number[];
  /** Members of the stores from whose costs `npm run capacity` computes. */
  capacity: number[];
  /** Members of a store whose release is compared with what the model of the capacity says. */
  beyond: number;
  /** Transactions per client and round. */
  transactions: number;
  /** Batches of settlements per round, all workers together. */
  batches: number;
  /** HTTP requests per round, all clients together. */
  requests: number;
  clients: number;
  rounds: number;
  /** The share of the sizes that are otherwise the same in every run: 1, or less to see that a workload works. */
  share: number;
}

/** The default sizes: all workloads in less than six minutes. */
export const quick: Size = {
  tree: 20_000,
  members: [10_000, 100_000],
  chains: [10, 100, 1_000, 10_000],
  backlogs: [1_000, 5_000],
  simulated: [2_000, 10_000],
  released: [10_000, 50_000],
  histories: [150_000, 600_000, 1_500_000],
  capacity: [1_000, 10_000],
  beyond: 20_000,
  transactions: 80,
  batches: 48,
  requests: 1_000,
  clients: 16,
  rounds: 5,
  share: 1,
};

/** The sizes that the aims are stated for. */
export const full: Size = {
  tree: 100_000,
  members: [10_000, 1_000_000],
  chains: [10, 100, 1_000, 10_000],
  backlogs: [1_000, 100_000],
  simulated: [10_000, 100_000],
  released: [10_000, 100_000, 1_000_000],
  histories: [150_000, 1_000_000, 10_000_000],
  capacity: [1_000, 10_000, 100_000, 300_000, 1_000_000],
  beyond: 10_000_000,
  transactions: 200,
  batches: 160,
  requests: 5_000,
  clients: 16,
  rounds: 5,
  share: 1,
};

/** The smallest sizes with which every workload runs, to see that it works. What it measures then says nothing. */
export const tiny: Size = {
  tree: 500,
  members: [300, 600],
  chains: [10, 20],
  backlogs: [50, 100],
  simulated: [50, 100],
  released: [300, 600],
  histories: [5_000],
  capacity: [500],
  beyond: 500,
  transactions: 8,
  batches: 4,
  requests: 40,
  clients: 2,
  rounds: 1,
  share: 0.1,
};

/**
 * One line of the report: a workload of the store compared with a baseline of the same run. A reference value has no
 * baseline.
 */
export interface Comparison {
  /** The name of the comparison within the workload. */
  name: string;
  ours: number;
  baseline?: number;
  /** The unit of both numbers: `tx/s`, `ms`, `µs/member`. */
  unit: string;
  /**
   * The median of the rounds' ratios (ours / baseline). That of instructions is baseline / ours, like a ratio of
   * speeds.
   */
  ratio?: number;
  /** Whether a high ratio is good (speeds) or a low one (durations). */
  better: "higher" | "lower";
  aim?: number;
  /** The limit of what is acceptable. */
  floor?: number;
  details?: LoadResult;
  note?: string;
  /** What both sides have written: how many rows, and the sums of their amounts. */
  rows?: { ours: Record<string, string>; baseline: Record<string, string> };
  /** The position in the chart of growth, for a cost of settling an order. */
  point?: { of: string; size: number; milliseconds: number };
}

/** The context of a workload. */
export interface Bench {
  server: BenchServer;
  size: Size;
  show: ShowDetail;
  /** Keeps what the workload `capacity` has measured so far. */
  saveCapacity?: (measured: Measured) => void;
}

export interface Workload {
  /** The name on the command line. */
  name: string;
  title: string;
  run(bench: Bench): Promise<Comparison[]>;
}
