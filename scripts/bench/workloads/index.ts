import type { Workload } from "../workload.ts";
import { capacity } from "./capacity.ts";
import { chain } from "./chain.ts";
import { drainBacklog } from "./drain_backlog.ts";
import { growth } from "./growth.ts";
import { h5 } from "./h5.ts";
import { hotReferrer } from "./hot_referrer.ts";
import { httpArticle } from "./http_article.ts";
import { httpFarClient } from "./http_far_client.ts";
import { httpOrder } from "./http_order.ts";
import { httpReads } from "./http_reads.ts";
import { importOldSystem } from "./import.ts";
import { instructions } from "./instructions.ts";
import { largeStore } from "./large_store.ts";
import { naiveSettlement } from "./naive_settlement.ts";
import { network } from "./network.ts";
import { nightSessions } from "./night_sessions.ts";
import { oneRoot } from "./one_root.ts";
import { partitions } from "./partitions.ts";
import { pay } from "./pay.ts";
import { payAndSettle } from "./pay_and_settle.ts";
import { reads } from "./reads.ts";
import { reconcile } from "./reconcile.ts";
import { release } from "./release.ts";
import { releaseBesideSettlement } from "./release_beside_settlement.ts";
import { router } from "./router.ts";
import { search } from "./search.ts";
import { settle } from "./settle.ts";
import { simulate } from "./simulate.ts";
import { standby } from "./standby.ts";
import { taskCounts } from "./task_counts.ts";
import { team } from "./team.ts";
import { tpcb } from "./tpcb.ts";

/** All workloads, in the order of execution. */
export const workloads: Workload[] = [
  tpcb,
  pay,
  settle,
  payAndSettle,
  hotReferrer,
  oneRoot,
  chain,
  growth,
  drainBacklog,
  simulate,
  release,
  nightSessions,
  releaseBesideSettlement,
  taskCounts,
  reconcile,
  partitions,
  importOldSystem,
  reads,
  search,
  instructions,
  team,
  network,
  httpReads,
  httpOrder,
  httpArticle,
  httpFarClient,
  standby,
  router,
  naiveSettlement,
  h5,
  capacity,
  largeStore,
];
