import type { Workload } from "../workload.ts";
import { hotReferrer } from "./hot_referrer.ts";
import { settle } from "./settle.ts";

/** All workloads, in the order in which they run. */
export const workloads: Workload[] = [settle, hotReferrer];
