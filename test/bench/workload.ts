import type { ShowDetail } from "../../scripts/stack/progress.ts";
import type { BenchServer } from "./bench_server.ts";
import type { LoadResult } from "./pgbench.ts";

/** How much is measured. */
export interface Size {
  /** Members of the tree that orders are settled over. */
  tree: number;
  /** Sizes at which a cost must stay the same. */
  members: number[];
  chains: number[];
  /** Waiting jobs to drain. */
  backlogs: number[];
  /** Orders of a period that is simulated. */
  simulated: number[];
  /** Members whose points are released. */
  released: number[];
  /** Transactions of each of the clients in each round. */
  transactions: number;
  /** Batches of settlements in each round, of all workers together. */
  batches: number;
  /** Over HTTP, of all clients together in each round. */
  requests: number;
  clients: number;
  rounds: number;
}

/** The default: all workloads in less than six minutes. */
export const quick: Size = {
  tree: 20_000, members: [10_000, 100_000], chains: [10, 100, 1_000, 10_000], backlogs: [1_000, 5_000], simulated: [2_000, 10_000], released: [10_000, 50_000],
  transactions: 80, batches: 48, requests: 1_000, clients: 16, rounds: 5,
};

/** What the aims are stated for. */
export const full: Size = {
  tree: 100_000, members: [10_000, 1_000_000], chains: [10, 100, 1_000, 10_000], backlogs: [1_000, 100_000], simulated: [10_000, 100_000], released: [10_000, 100_000, 1_000_000],
  transactions: 200, batches: 160, requests: 5_000, clients: 16, rounds: 5,
};

/** One line of the report: ours beside a baseline of the same run; a yardstick has no baseline. */
export interface Comparison {
  /** What is compared, within the workload. */
  name: string;
  ours: number;
  baseline?: number;
  /** What the two numbers are: `tx/s`, `ms`, `µs/member`. */
  unit: string;
  /** The median of the rounds' own ratios: ours / baseline. */
  ratio?: number;
  /** Whether a high ratio is good, as of speeds, or a low one, as of durations. */
  better: "higher" | "lower";
  aim?: number;
  /** The least that is acceptable. */
  floor?: number;
  details?: LoadResult;
  note?: string;
  /** Where this stands in the chart of growth. */
  point?: { of: string; size: number; milliseconds: number };
}

/** What a workload has to work with. */
export interface Bench {
  server: BenchServer;
  size: Size;
  show: ShowDetail;
}

export interface Workload {
  /** By which it is chosen on the command line. */
  name: string;
  title: string;
  run(bench: Bench): Promise<Comparison[]>;
}
