import { beforeAll, describe, expect, it } from "vitest";
import { type Account, call, expectProblem, signUp, signUpAdmin } from "./client.ts";

const path = "/adminapi/me/view/orders";
const views = [
  { name: "待退款", query: "refund_status=1" },
  { name: "Paid in January", query: "state=paid&from=2026-01-01&to=2026-01-31" },
];
let admin: Account;
let other: Account;
let member: Account;

beforeAll(async () => {
  [admin, other, member] = await Promise.all([
    signUpAdmin("Saves views"),
    signUpAdmin("Saves nothing"),
    signUp("小林"),
  ]);
});

describe("the saved views of a list", () => {
  it("are saved, found again, renamed and deleted by their administrator, and seen by nobody else", async () => {
    expect((await call("PUT", path, { token: admin.token, json: { views } })).body).toEqual({ views });
    expect((await call("GET", path, { token: admin.token })).body).toEqual({ views });
    expect((await call("GET", "/adminapi/me/view/bill", { token: admin.token })).body).toEqual({ views: [] });
    expect((await call("GET", path, { token: other.token })).body).toEqual({ views: [] });
    const renamed = [{ ...views[1]!, name: "January" }];
    expect((await call("PUT", path, { token: admin.token, json: { views: renamed } })).body).toEqual({
      views: renamed,
    });
    expect((await call("GET", path, { token: admin.token })).body).toEqual({ views: renamed });
    expectProblem(await call("GET", path, { token: member.token }), "forbidden");
  });

  it.each([
    ["two of one name", [views[0], views[0]]],
    ["21", Array.from({ length: 21 }, (_, n) => ({ name: `View ${n}`, query: "a=b" }))],
    ["a query of 1001 characters", [{ name: "Long", query: "a".repeat(1001) }]],
    ["a blank name", [{ name: " ", query: "a=b" }]],
    ["a view without a query", [{ name: "Nothing" }]],
    ["an unknown field", [{ ...views[0], uid: 1 }]],
    ["a text", "state=paid"],
    ["null", null],
  ])("do not become %s", async (_, wrong) => {
    expectProblem(await call("PUT", path, { token: admin.token, json: { views: wrong } }), "invalid_argument");
  });

  it("belong to a list that the console has", async () => {
    expectProblem(
      await call("PUT", "/adminapi/me/view/secrets", { token: admin.token, json: { views } }),
      "invalid_argument",
    );
  });
});
