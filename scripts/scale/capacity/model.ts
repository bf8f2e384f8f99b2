import { fit, type Point } from "./least_squares.ts";
import type { Measured, MeasuredStore } from "./measured.ts";

/** The size of a store, as the terms of the costs use it. */
interface Size {
  members: number;
  /** Mean number of ancestors. */
  depth: number;
  /** Orders between two checkpoints. */
  orders_per_checkpoint: number;
}

/** A cost: a fixed part and parts that grow with the store. */
interface Cost {
  of: (store: MeasuredStore) => number;
  terms: (size: Size) => number[];
}

/** An index is a logarithm of the members high. */
const height = ({ members }: Pick<Size, "members">) => Math.log2(members);
/** So is a path to the root of a random tree. Other trees are as deep as they were measured. */
export const depthOf = (members: number) => Math.log(members);
const constant = () => [1];
/** The fixed cost of a table or of a run, divided among the members. */
const shared = (size: Size) => [1, 1 / size.members];
const high = (size: Size) => [1, height(size)];
const deep = ({ depth }: Size) => [1, depth];

/** Changes that the job of the team totals adds up in one transaction (app.sum_team_totals). */
const TEAM_BATCH = 1000;

/** Rows of balances, and keys of an index, in a page. */
const [MEMBERS_PER_PAGE, KEYS_PER_PAGE] = [25, 350];

/**
 * How many pages an order is the first to change since a checkpoint, if each order changes one of a table with the
 * members, at random. The log has an image of such a page. In a small store the orders share the pages; in a large one
 * each order has its own, and the number approaches 1.
 */
function pagesPerOrder({ members, orders_per_checkpoint: orders }: Size, rows: number): number {
  const pages = members / rows;
  return (pages / orders) * -Math.expm1(-orders / pages);
}

/** Corrects processor time for the speed that the reference had while it was measured. */
const atOneSpeed = (point: { reference: number }, measured: Measured) => measured.reference / point.reference;

const disk: Record<keyof MeasuredStore["disk"], Cost> = {
  member: { of: (store) => store.disk.member, terms: shared },
  order: { of: (store) => store.disk.order, terms: constant },
  order_bill_row: { of: (store) => store.disk.order_bill_row, terms: constant },
  release_bill_row: { of: (store) => store.disk.release_bill_row, terms: shared },
  release_log_row: { of: (store) => store.disk.release_log_row, terms: shared },
};

const cpu: Record<keyof MeasuredStore["cpu"], Cost> = {
  place: { of: (store) => store.cpu.place, terms: high },
  pay: { of: (store) => store.cpu.pay, terms: high },
  settle: { of: (store) => store.cpu.settle, terms: (size) => [...deep(size), height(size)] },
  // The job adds up a batch of changes at once. In a small store they share their ancestors.
  team: { of: (store) => store.cpu.team, terms: ({ members }) => [1, Math.log2(1 + members / TEAM_BATCH)] },
  release: { of: (store) => store.cpu.release, terms: (size) => [...shared(size), height(size)] },
};

const log: Record<keyof MeasuredStore["log"], Cost> = {
  order_records: { of: (store) => store.log.order_records, terms: deep },
  order_images: {
    of: (store) => store.log.order_images,
    terms: (size) => [1, pagesPerOrder(size, MEMBERS_PER_PAGE), pagesPerOrder(size, KEYS_PER_PAGE)],
  },
  release: { of: (store) => store.log.release, terms: shared },
};

/** What a night reads: members, orders since the last closed month, and released rows since then. */
export interface Night {
  members: number;
  orders: number;
  releases: number;
}

/** The orders that a night decides again, at random (app.sample_size). */
const SAMPLE = 200;

const nightTerms = ({ members, orders, releases }: Night) => {
  // Each member is looked up in several tables.
  const lookups = members * height({ members });
  return [1, Math.min(orders, SAMPLE), members, orders, releases, lookups];
};

/**
 * Costs of a store as functions of its size, from measured points. Processor time is in microseconds, disk and log in
 * bytes. The depth is that of a random tree unless it is given.
 */
export interface Model {
  disk(quantity: keyof typeof disk, members: number): number;
  cpu(quantity: keyof typeof cpu, members: number, depth?: number): number;
  log(quantity: keyof typeof log, members: number, ordersPerCheckpoint: number, depth?: number): number;
  night(night: Night): number;
  billRowsPerOrder(members: number, depth?: number): number;
  /** Of one order that is settled alone, by the ancestors of its buyer. */
  order(ancestors: number): number;
  /**
   * Microseconds for which an order in a batch holds a row that all orders write: by the clock, because the commit is
   * part of it.
   */
  hotRow: number;
}

/** Fits the costs by least squares to the measured points of `measured`. */
export function fitModel(measured: Measured): Model {
  const { stores } = measured;
  const fitCosts = <Name extends string>(costs: Record<Name, Cost>, isTime: boolean) => {
    const coefficients = Object.fromEntries(
      Object.entries<Cost>(costs).map(([name, { of, terms }]) => [
        name,
        fit(
          stores.map((store) => ({
            terms: terms(store),
            value: of(store) * (isTime ? atOneSpeed(store, measured) : 1),
          })),
        ),
      ]),
    ) as Record<Name, number[]>;
    return (name: Name, size: Size) => sum(costs[name].terms(size), coefficients[name]);
  };
  const [ofDisk, ofCpu, ofLog] = [fitCosts(disk, false), fitCosts(cpu, true), fitCosts(log, false)];
  const ofNight = fit(
    stores.flatMap((store) =>
      store.nights.map((night): Point => ({
        terms: nightTerms({ members: store.members, ...night }),
        value: night.cpu * atOneSpeed(store, measured),
      })),
    ),
  );
  const ofRows = fit(stores.map((store) => ({ terms: deep(store), value: store.bill_rows_per_order })));
  const ofOrder = fit(
    measured.depths.map((point) => ({ terms: [1, point.size], value: point.cpu * atOneSpeed(point, measured) })),
  );
  const size = (members: number, orders = 1, depth = depthOf(members)): Size => ({
    members,
    depth,
    orders_per_checkpoint: orders,
  });
  return {
    disk: (quantity, members) => ofDisk(quantity, size(members)),
    cpu: (quantity, members, depth) => ofCpu(quantity, size(members, 1, depth)),
    log: (quantity, members, orders, depth) => ofLog(quantity, size(members, orders, depth)),
    night: (night) => sum(nightTerms(night), ofNight),
    billRowsPerOrder: (members, depth) => sum(deep(size(members, 1, depth)), ofRows),
    order: (ancestors) => sum([1, ancestors], ofOrder),
    hotRow: Math.max(...measured.rows.map(({ speed }) => 1e6 / speed)),
  };
}

const sum = (terms: number[], coefficients: number[]) =>
  terms.reduce((total, term, at) => total + term * coefficients[at]!, 0);

/** A figure of a store that was measured, and what a model says of it. */
export interface Check {
  quantity: string;
  measured: number;
  predicted: number;
  /** By how much the prediction is above (or below) what was measured, as a share of it. */
  deviation: number;
}

/** Compares a model with every figure that was measured at one size. */
export function checkModel(model: Model, store: MeasuredStore, measured: Measured): Check[] {
  const { members } = store;
  const speed = atOneSpeed(store, measured);
  const check = (quantity: string, value: number, predicted: number): Check => ({
    quantity,
    measured: value,
    predicted,
    deviation: predicted / value - 1,
  });
  const group = <Name extends string>(
    name: string,
    values: Record<Name, number>,
    predict: (quantity: Name) => number,
    factor = 1,
  ) =>
    (Object.keys(values) as Name[]).map((quantity) =>
      check(`${name}: ${quantity}`, values[quantity] * factor, predict(quantity)),
    );
  return [
    ...group("disk", store.disk, (quantity) => model.disk(quantity, members)),
    ...group("cpu", store.cpu, (quantity) => model.cpu(quantity, members, store.depth), speed),
    ...group("log", store.log, (quantity) => model.log(quantity, members, store.orders_per_checkpoint, store.depth)),
    ...store.nights.map((night, index) =>
      check(`night ${index + 1}`, night.cpu * speed, model.night({ members, ...night })),
    ),
    check("bill rows per order", store.bill_rows_per_order, model.billRowsPerOrder(members, store.depth)),
  ];
}

/** Fits a model without the stores of some sizes, for a check against what it has not seen. */
export const fitWithout = (measured: Measured, ...members: number[]) =>
  fitModel({ ...measured, stores: measured.stores.filter((store) => !members.includes(store.members)) });
