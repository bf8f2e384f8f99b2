import { beforeAll, describe, expect, it } from "vitest";
import { stack } from "../support/index.ts";
import { type Account, addProduct, call, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { as, buyAndSettle } from "./scenario.ts";

let admin: Account;
let member: Account;
let month: string;

beforeAll(async () => {
  [admin, member] = await Promise.all([signUpAdmin("Reader of statements"), signUp("Earner of a month")]);
  const flagship = await addProduct("Flagship of the statement", "3600.00", true);
  await buyAndSettle(member, admin, flagship);
  await buyAndSettle(await signUp("Buyer of the statement", member.uid), admin, flagship);
  month = (await as(member).get("/api/statement")).body.month;
});

const csv = (path: string, { token }: Account, language = "en") =>
  call("GET", path, { token, init: { headers: { "accept-language": language } } });
const linesOf = (text: string) =>
  text
    .replace("\uFEFF", "")
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));

describe("GET /api/statement", () => {
  it("adds up, and its rows are those of the bill", async () => {
    const {
      body: { from, to, opening, sums, closing, months },
    } = await as(member).get(`/api/statement?month=${month}`);
    expect(months).toEqual([month]);
    const total = (key: string) => sums.reduce((sum: number, row: Record<string, number>) => sum + Number(row[key]), 0);
    expect(Number(closing.brokerage_price)).toBe(Number(opening.brokerage_price) + total("brokerage"));
    expect(closing.frozen_points).toBe(opening.frozen_points + total("frozen_points"));
    expect(Number(closing.brokerage_price)).toBeGreaterThan(0);
    const bill = (await as(member).get(`/api/bill?from=${from}&to=${to}`)).body;
    expect(total("rows")).toBe(bill.count);
  });

  it.each(["2026-13", "2026", "1999-01"])("rejects the month %s", async (text) => {
    expectProblem(await as(member).get(`/api/statement?month=${text}`), "invalid_argument");
  });
});

describe("GET /api/statement/csv", () => {
  it("explains every row: what for, the order, basis and rate, amounts and balances", async () => {
    const reply = await csv(`/api/statement/csv?month=${month}`, member);
    expect(reply.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(reply.headers.get("content-disposition")).toContain("attachment");
    const [header, ...rows] = linesOf(reply.text);
    const {
      body: { list },
    } = await as(member).get("/api/bill");
    expect(rows).toHaveLength(list.length);
    const at = (name: string) => header!.indexOf(name);
    const commission = rows.find((row) => row[at("Type")] === "Commission")!;
    const { order_id, basis, rate, brokerage, brokerage_after } = list.find(
      ({ type }: { type: string }) => type === "brokerage",
    );
    expect(
      ["Source", "Order", "Basis", "Rate", "Commission", "Commission after"].map((name) => commission[at(name)]),
    ).toEqual(["Commission cycle", String(order_id), String(basis), String(rate), brokerage, brokerage_after]);
  });

  it("begins with a byte order mark and has a Chinese header and words for a Chinese reader", async () => {
    const response = await fetch(`${stack().functions_url}/api/statement/csv?month=${month}`, {
      headers: { authorization: `Bearer ${member.token}`, "accept-language": "zh-CN" },
    });
    expect([...new Uint8Array(await response.clone().arrayBuffer()).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [header, ...rows] = linesOf(await response.text());
    expect(header!.slice(0, 4)).toEqual(["时间", "账单编号", "类型", "来源"]);
    expect(rows.map(([, , type]) => type)).toContain("佣金");
  });

  it("has only a header for a month without rows", async () => {
    expect(linesOf((await csv("/api/statement/csv?month=2025-01", member)).text)).toHaveLength(1);
  });
});

describe("GET /adminapi/user/{uid}/statement", () => {
  it("is what the member sees, as a page and as a file", async () => {
    expect((await as(admin).get(`/adminapi/user/${member.uid}/statement?month=${month}`)).body).toEqual(
      (await as(member).get(`/api/statement?month=${month}`)).body,
    );
    expect((await csv(`/adminapi/user/${member.uid}/statement/csv?month=${month}`, admin)).text).toBe(
      (await csv(`/api/statement/csv?month=${month}`, member)).text,
    );
  });

  it("returns user_not_found for nobody, before a file begins", async () => {
    expectProblem(await as(admin).get("/adminapi/user/900000000000001/statement"), "user_not_found");
    expectProblem(await as(admin).get(`/adminapi/user/900000000000001/statement/csv?month=${month}`), "user_not_found");
  });
});
