import type postgres from "postgres";
import { describe, expect, it } from "vitest";
import { openConnections, type Use, VISITORS } from "../../functions/_shared/database/connections.ts";

const [COUNT, OWN] = [4, 1];
const open = () => ({ end: () => Promise.resolve() }) as unknown as postgres.Sql;

/** A pool whose statements run until they are told to end. */
function createPool(deadlineMs = 60_000) {
  const { run, isCrowded } = openConnections(open, { count: COUNT, own: OWN, deadlineMs });
  const started: string[] = [];
  const endings: (() => void)[] = [];
  const refused: string[] = [];
  const send = (name: string, use?: Use) => {
    const statement = () =>
      new Promise<void>((end) => {
        started.push(name);
        endings.push(end);
      });
    run(statement, use).catch((error: { code: string }) => refused.push(`${name} ${error.code}`));
  };
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  const endOne = async () => {
    endings.shift()!();
    await settled();
  };
  const many = async (times: number, name: string, use?: Use) => {
    for (let sent = 0; sent < times; sent += 1) send(name, use);
    await settled();
  };
  return { send, many, started, refused, endOne, isCrowded };
}

const timesOf = (name: string, list: string[]) => list.filter((each) => each.startsWith(name)).length;

describe("a pool of connections", () => {
  // Guarantee faults/load-shares: Neither a locked row nor a member who asks too often keeps others from being served
  // By: shares of connections and waiting places (docs/operations.md, "Limits"),
  // functions/_shared/database/connections.ts
  it("lets a caller use half of the connections and a twelfth of the places, and refuses more at once", async () => {
    const { many, started, refused, isCrowded } = createPool();
    await many(1002, "flood", { caller: "flood" });
    expect([timesOf("flood", started), timesOf("flood", refused)]).toEqual([2, 1000 - 67]);
    expect([isCrowded("flood"), isCrowded("member"), isCrowded(VISITORS)]).toEqual([true, false, false]);
    expect(refused[0]).toBe("flood 53300");
    await many(1, "member", { caller: "member" });
    await many(1, "visitor", { caller: VISITORS });
    await many(1, "notification");
    expect(started.slice(2)).toEqual(["member", "visitor", "notification"]);
  });

  it("leaves places to others, however many callers take all that they get", async () => {
    const { many, refused } = createPool();
    for (let caller = 0; caller < 150; caller += 1) await many(110, `flood ${caller}`, { caller: `flood ${caller}` });
    await many(110, "visitor", { caller: VISITORS });
    refused.length = 0;
    await many(1, "member", { caller: "member" });
    expect(refused).toEqual([]);
  });

  it("gives the places back of what has run, and of what has waited too long", async () => {
    const { many, started, refused, endOne } = createPool();
    await many(70, "first", { caller: "flood" });
    while (timesOf("first", started) < 69) await endOne();
    await endOne();
    await endOne();
    await many(70, "second", { caller: "flood" });
    expect([timesOf("first", refused), timesOf("second", started), timesOf("second", refused)]).toEqual([1, 2, 1]);

    const hasty = createPool(200);
    await hasty.many(70, "first", { caller: "flood" });
    await expect.poll(() => timesOf("first", hasty.refused)).toBe(70);
    await hasty.many(70, "second", { caller: "flood" });
    expect(hasty.refused.filter((each) => each.startsWith("second"))).toEqual(["second 53300"]);
  });

  it("gives all visitors together one share, which leaves a connection and places to members", async () => {
    const { many, started, refused } = createPool();
    await many(1002, "visitor", { caller: VISITORS });
    expect([timesOf("visitor", started), timesOf("visitor", refused)]).toEqual([3, 999 - 300]);
    await many(1, "member", { caller: "member" });
    await many(1, "notification");
    expect(started.slice(3)).toEqual(["member", "notification"]);
  });

  // Guarantee faults/load-payments-first: An overloaded store takes payments before everything else
  // By: connections and waiting places of their own, functions/_shared/database/connections.ts
  it("keeps places for payments, and a connection and places for calls of the store itself, however many callers wait", async () => {
    const { send, many, started, refused, isCrowded } = createPool();
    for (let caller = 0; caller < 804; caller += 1) send(`member ${caller}`, { caller: `member ${caller}` });
    await many(0, "");
    expect([started.length, refused.length, isCrowded("one more")]).toEqual([4, 0, true]);
    await many(1, "order", { caller: "one more" });
    expect(refused).toEqual(["order 53300"]);
    await many(200, "payments of one", { caller: "one more", isPayment: true });
    expect(timesOf("payments of one", refused)).toBe(200 - 1);
    for (let caller = 0; caller < 99; caller += 1) send("payment", { caller: `payer ${caller}`, isPayment: true });
    await many(1, "late payment", { caller: "another", isPayment: true });
    expect([timesOf("payment ", refused), timesOf("late", refused)]).toEqual([0, 1]);
    await many(101, "notification");
    expect([timesOf("notification", started), timesOf("notification", refused)]).toEqual([1, 0]);
    await many(1, "notification");
    expect(timesOf("notification", refused)).toBe(1);
  });

  it("starts payments and calls of the store itself before other calls that have waited longer", async () => {
    const { many, started, endOne } = createPool();
    await many(3, "running", { caller: VISITORS });
    await many(1, "running", { caller: "member" });
    await many(1, "running");
    await many(1, "order", { caller: "buyer" });
    await many(1, "payment", { caller: "payer", isPayment: true });
    await many(1, "notification");
    for (let ended = 0; ended < 3; ended += 1) await endOne();
    expect(started.filter((name) => name !== "running")).toEqual(["payment", "notification", "order"]);
  });

  it("leaves one connection to reads, whoever writes", async () => {
    const { many, started } = createPool();
    for (const caller of ["a", "b", "c", "d"]) await many(1, `write of ${caller}`, { caller, writes: true });
    await many(1, "read of d", { caller: "d" });
    expect(started).toEqual(["write of a", "write of b", "write of c", "read of d"]);
  });
});
