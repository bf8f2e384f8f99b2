/** A size of the server of a project of Supabase. */
export interface ComputeSize {
  name: string;
  /** USD a month. */
  price: number;
  processors: number;
  /** Gigabytes. */
  memory: number;
  /** Connections that its database accepts (`max_connections`). */
  connections: number;
  /** Gigabytes of the largest database for which Supabase recommends it. */
  database: number;
}

const GUIDES = "https://supabase.com/docs/guides/platform";
/** Where the figures of this file were copied from. docs/size_and_cost.md says when. */
export const SOURCES = {
  plan: "https://supabase.com/pricing",
  compute: `${GUIDES}/compute-and-disk`,
  disk: `${GUIDES}/manage-your-usage/disk-size`,
  recovery: `${GUIDES}/manage-your-usage/point-in-time-recovery`,
  users: `${GUIDES}/manage-your-usage/monthly-active-users`,
  functions: `${GUIDES}/manage-your-usage/edge-function-invocations`,
  egress: `${GUIDES}/manage-your-usage/egress`,
  ipv4: `${GUIDES}/manage-your-usage/ipv4`,
};

/** The sizes of paid plans, the smallest first. */
export const COMPUTE_SIZES: readonly ComputeSize[] = [
  { name: "Micro", price: 10, processors: 2, memory: 1, connections: 60, database: 10 },
  { name: "Small", price: 15, processors: 2, memory: 2, connections: 90, database: 50 },
  { name: "Medium", price: 60, processors: 2, memory: 4, connections: 120, database: 100 },
  { name: "Large", price: 110, processors: 2, memory: 8, connections: 160, database: 200 },
  { name: "XL", price: 210, processors: 4, memory: 16, connections: 240, database: 500 },
  { name: "2XL", price: 410, processors: 8, memory: 32, connections: 380, database: 1_000 },
  { name: "4XL", price: 960, processors: 16, memory: 64, connections: 480, database: 2_000 },
  { name: "8XL", price: 1_870, processors: 32, memory: 128, connections: 490, database: 4_000 },
  { name: "12XL", price: 2_800, processors: 48, memory: 192, connections: 500, database: 6_000 },
  { name: "16XL", price: 3_730, processors: 64, memory: 256, connections: 500, database: 10_000 },
];

/** Something of which the plan includes an amount, and USD a month for each unit beyond it. */
interface Metered {
  included: number;
  price: number;
}

/** USD a month of the plan Pro. */
export const PRICES = {
  plan: 25,
  /** Taken off the price of the compute size. */
  computeCredit: 10,
  /** Gigabytes of a disk of the usual kind, gp3. */
  disk: { included: 8, price: 0.125 },
  /** Persons who use Auth in a month. */
  users: { included: 100_000, price: 0.00325 },
  /** Millions of invocations of edge functions. */
  functions: { included: 2, price: 2 },
  /** Gigabytes that are not from the cache. */
  egress: { included: 250, price: 0.09 },
  /** Point-in-time recovery within seven days, and the smallest compute size that may have it. */
  recovery: { price: 100, smallest: "Small" },
  ipv4: 4,
} satisfies Record<string, number | Metered | { price: number; smallest: string }>;

/** USD a month for an amount. */
export const priceOf = ({ included, price }: Metered, amount: number) => Math.max(amount - included, 0) * price;
