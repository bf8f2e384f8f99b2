import { depthOf, type Model } from "./model.ts";

/** The store that is planned, and the largest server that it may have. */
export interface Plan {
  members: number;
  ordersPerDay: number;
  /** Members with frozen points, who get a release every day. */
  membersWithPoints: number;
  /** The orders of the busiest second, as a multiple of the mean. */
  peak: number;
  /** Mean number of ancestors; without it, that of a random tree. */
  depth?: number;
  /** The largest share of the orders that write the same row. */
  hottestShare: number;
  /** Months of the bill and of the release log; the current one, which is not closed, is one of them. */
  months: number;
  /** Months of these whose releases are compacted (app.compact_month). */
  compactedMonths: number;
  /** Hours in which the release has to end, and the reconciliation as well. */
  nightHours: number;
  /** Sessions that release points, or check the store, at the same time (app.settings.night_sessions). */
  nightSessions: number;
  /** Minutes between two checkpoints. */
  checkpointMinutes: number;
  /** The share of its processors that a server uses at the peak. */
  load: number;
  cores: number;
  diskTerabytes: number;
  /** Megabytes per second. */
  diskSpeed: number;
}

/** A year of a store of this size as `npm run capacity` computes it without further options. */
export const usualPlan = (members: number): Plan => ({
  members,
  ordersPerDay: Math.ceil(members / 100),
  membersWithPoints: members,
  peak: 5,
  hottestShare: 1,
  months: 12,
  compactedMonths: 0,
  nightHours: 6,
  nightSessions: 1,
  checkpointMinutes: 5,
  load: 0.5,
  cores: 64,
  diskTerabytes: 16,
  diskSpeed: 500,
});

/** Something of which a store has only so much. */
export interface Limit {
  name: string;
  /** The needed share of what there is. Above 1, the plan does not fit. */
  share: number;
  remedy: string;
}

export interface Capacity {
  ordersPerSecond: number;
  /** Microseconds of processor time of an order: placed, paid, settled, and added to the team totals. */
  order: { place: number; pay: number; settle: number; team: number };
  cores: { orders: number; recommended: number };
  /** Bytes. */
  disk: { members: number; orders: number; bill: number; events: number; releases: number; total: number };
  /** Bytes a day, and bytes per second while the release runs at the peak of the orders. */
  log: { orders: number; releases: number; total: number; peak: number };
  /** Seconds of each session that runs the job; of the team totals, the share of each second at the peak. */
  jobs: { release: number; reconcile: number; team: number };
  /** Those that are used most come first. */
  limits: Limit[];
}

export const SECONDS_PER_DAY = 86_400;
export const DAYS_PER_MONTH = 30.4;
/** The open month, and the days after its end until it is closed. */
const OPEN_DAYS = 35;
/**
 * How long events are kept (app.forget_old_events), how many an order with queue goods has, and their bytes on the disk
 * with all indexes: see docs/scale.md.
 */
const [EVENT_DAYS, EVENTS_PER_ORDER, EVENT_ROW] = [90, 4, 480];
/** Bytes that a release takes in a compacted month, as measured (docs/performance.md, "Compacted months"). */
export const COMPACTED_RELEASE = 30;

/** Microseconds that ancestors add to those of a random tree. */
const depthCost = (model: Model, { members, depth }: Plan) =>
  depth === undefined ? 0 : model.order(depth) - model.order(depthOf(members));

/** Computes what a store needs, and what limits it first. */
export function capacityOf(model: Model, plan: Plan): Capacity {
  const { members, ordersPerDay, membersWithPoints } = plan;
  const ordersPerSecond = ordersPerDay / SECONDS_PER_DAY;
  const peak = ordersPerSecond * plan.peak;
  const extra = depthCost(model, plan);
  const order = {
    place: model.cpu("place", members),
    pay: model.cpu("pay", members),
    settle: Math.max(model.cpu("settle", members) + extra, 0),
    team: model.cpu("team", members),
  };
  const ofOrders = (peak * (order.place + order.pay + order.settle + order.team)) / 1e6 / plan.load;

  const days = plan.months * DAYS_PER_MONTH;
  const billRow = model.disk("order_bill_row", members);
  const wholeRelease = model.disk("release_bill_row", members) + model.disk("release_log_row", members);
  const disk = {
    members: members * model.disk("member", members),
    orders: ordersPerDay * days * model.disk("order", members),
    bill: ordersPerDay * days * model.billRowsPerOrder(members) * billRow,
    events: ordersPerDay * Math.min(days, EVENT_DAYS) * EVENTS_PER_ORDER * EVENT_ROW,
    releases:
      membersWithPoints *
      DAYS_PER_MONTH *
      ((plan.months - plan.compactedMonths) * wholeRelease + plan.compactedMonths * COMPACTED_RELEASE),
  };
  const ordersPerCheckpoint = Math.max(ordersPerSecond * plan.checkpointMinutes * 60, 1);
  const log = {
    orders:
      ordersPerDay *
      (model.log("order_records", members, ordersPerCheckpoint) +
        model.log("order_images", members, ordersPerCheckpoint)),
    releases: membersWithPoints * model.log("release", members, ordersPerCheckpoint),
  };

  const release = (membersWithPoints * model.cpu("release", members)) / 1e6 / plan.nightSessions;
  const reconcile =
    model.night({ members, orders: ordersPerDay * OPEN_DAYS, releases: membersWithPoints * OPEN_DAYS }) /
    1e6 /
    plan.nightSessions;
  const jobs = { release, reconcile, team: (peak * order.team) / 1e6 };
  const logPeak = (log.orders / SECONDS_PER_DAY) * plan.peak + (release > 0 ? log.releases / release : 0);
  const total = disk.members + disk.orders + disk.bill + disk.events + disk.releases;

  const limits: Limit[] = [
    {
      name: "one row that orders share",
      share: (peak * plan.hottestShare * (model.hotRow + Math.max(extra, 0))) / 1e6,
      remedy:
        "give the members near the root the top grade: nothing is counted for them, and a settlement writes only those of them whom it pays",
    },
    {
      name: "processors at the peak",
      share: ofOrders / plan.cores,
      remedy: "let a standby answer the reads, then divide the store",
    },
    {
      name: "daily release in its hours",
      share: release / 3600 / plan.nightHours,
      remedy:
        "release the points in more sessions (--night-sessions), or let it take longer, at most a day; beyond that, divide the store",
    },
    {
      name: "nightly reconciliation in its hours",
      share: reconcile / 3600 / plan.nightHours,
      remedy: "close the months, let it run in more sessions (--night-sessions), or let it take longer, at most a day",
    },
    { name: "sums of the teams", share: jobs.team, remedy: "accept that the team totals lag behind at the peak" },
    {
      name: "disk",
      share: total / (plan.diskTerabytes * 1e12),
      remedy: "compact the releases of sealed months, or divide the store",
    },
    {
      name: "speed of the disk for the log",
      share: logPeak / (plan.diskSpeed * 1e6),
      remedy: "compress page images (wal_compression), and put the log on a disk of its own",
    },
  ];
  return {
    ordersPerSecond,
    order,
    disk: { ...disk, total },
    log: { ...log, total: log.orders + log.releases, peak: logPeak },
    jobs,
    // A long release still runs when the reconciliation begins, and each of their sessions takes a processor, whatever
    // the orders need.
    cores: { orders: ofOrders, recommended: Math.max(Math.ceil(ofOrders), 2 * plan.nightSessions) },
    limits: limits.sort((a, b) => b.share - a.share),
  };
}
