import { beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { type Admin, unwrap, createStore, type Store, StoreError } from "../../apps/client/index.ts";
import { type Account, signUp, signUpAdmin } from "../api/client.ts";
import { stack } from "../support/index.ts";

let member: Account;
let admin: Account;
const storeOf = ({ token }: Account): Store =>
  createStore({ functionsUrl: stack().functions_url, accessToken: () => token });

beforeAll(async () => {
  [member, admin] = await Promise.all([signUp("Client"), signUpAdmin("Client of administrators")]);
});

describe("the typed client", () => {
  it("types paths and responses of both functions", async () => {
    const { list } = await unwrap(
      storeOf(admin).admin.GET("/adminapi/user", {
        params: { query: { search: String(member.uid), sort: "-add_time" } },
      }),
    );
    expectTypeOf(list).toEqualTypeOf<Admin["Member"][]>();
    expect(list).toMatchObject([{ uid: member.uid, nickname: "Client" }]);
    const { agent_level } = await unwrap(storeOf(member).api.GET("/api/hjf/assets/overview"));
    expectTypeOf(agent_level).toEqualTypeOf<number>();
  });

  it("throws a problem with its code", async () => {
    const rejection = unwrap(storeOf(member).admin.GET("/adminapi/overview"));
    await expect(rejection).rejects.toThrow(StoreError);
    await expect(rejection).rejects.toMatchObject({ code: "forbidden", problem: { status: 403 } });
  });

  it("calls public routes without a token", async () => {
    const { api } = createStore({ functionsUrl: stack().functions_url });
    expect((await unwrap(api.GET("/api/health"))).status).toBe("ok");
    // Null is a valid response: there is no article.
    expect(await unwrap(api.GET("/api/sign/required_article"))).toBeDefined();
  });
});
