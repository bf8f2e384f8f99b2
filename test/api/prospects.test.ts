import { beforeAll, expect, it } from "vitest";
import { type Account, addProduct, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { as, buyAndSettle } from "./scenario.ts";

let admin: Account;
let member: Account;
let flagship: number;

beforeAll(async () => {
  [admin, member] = await Promise.all([signUpAdmin("Desk of prospects"), signUp("Hopeful member")]);
  flagship = await addProduct("Flagship of the forecast", "3600.00", true);
});

it("a member reads what the next order would pay, and later finds it in the month", async () => {
  const earning = async () =>
    (await as(member).get("/api/prospects")).body.products.find(({ id }: { id: number }) => id === flagship)
      .you_would_earn;
  expect(await earning()).toEqual({ commission: "0.00", points: 0, reason: "referrer_not_eligible" });
  await buyAndSettle(member, admin, flagship);
  const { commission, points, reason } = await earning();
  expect(Number(commission)).toBeGreaterThan(0);
  expect(reason).toBeNull();

  const buyer = await signUp("Buyer of the forecast", member.uid);
  await buyAndSettle(buyer, admin, flagship);
  const { body } = await as(member).get("/api/prospects/month");
  expect(body).toMatchObject({ commission, points, months: [body.month] });
  expect(body.days.filter((each: { commission: string }) => each.commission !== "0.00")).toEqual([
    { day: expect.stringContaining(body.month), commission, points },
  ]);
  expect((await as(member).get("/api/prospects")).body.forecast.frozen_points).toBe(points);
});

it("the list of the team has a filter for those who are one order away from a level", async () => {
  const child = await signUp("Nearly a maker", member.uid);
  const uids = async () =>
    (await as(member).get("/api/spread/people?one_order_away=true")).body.list.map(({ uid }: Account) => uid);
  for (const name of ["First", "Second"]) {
    expect(await uids()).not.toContain(child.uid);
    await buyAndSettle(await signUp(`${name} buyer`, child.uid), admin, flagship);
  }
  expect(await uids()).toEqual([child.uid]);
  expectProblem(await as(member).get("/api/spread/people?one_order_away=perhaps"), "invalid_argument");
});

it.each(["2026-13", "2026", "1999-01"])("no month is %j", async (month) => {
  expectProblem(await as(member).get(`/api/prospects/month?month=${month}`), "invalid_argument");
});
