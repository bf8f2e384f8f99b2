import { beforeAll, describe, expect, it } from "vitest";
import { type Account, call, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { cases, pathOf } from "./route_cases.ts";

let member: Account;
let admin: Account;

beforeAll(async () => {
  [member, admin] = await Promise.all([signUp("Route walker"), signUpAdmin("Administrator of routes")]);
});

describe.each(cases(() => true))("%s", (_name, route) => {
  it("returns 405 for methods that the path does not have", async () => {
    const reply = await call("PATCH", pathOf(route));
    expectProblem(reply, "method_not_allowed");
    expect(reply.headers.get("allow")?.split(", ")).toContain(route.method.toUpperCase());
  });
});

describe.each(cases(({ handler }) => handler === undefined))("%s", (_name, route) => {
  it("rejects and names an unknown query parameter", async () => {
    // An administrator may call every route.
    const reply = await call(route.method.toUpperCase(), `${pathOf(route)}?surprise=1&constructor=2`, {
      token: admin.token,
    });
    expectProblem(reply, "invalid_argument");
    for (const pointer of ["/surprise", "/constructor"])
      expect(reply.body.errors).toContainEqual(expect.objectContaining({ in: "query", pointer }));
  });
});

describe.each(cases(({ auth }) => auth === "admin"))("%s", (_name, route) => {
  // The database would reject it, too. This tests the check before it, which does not read the input.
  it("is forbidden to members before their input is validated", async () => {
    const path = `${route.path.replaceAll(/{\w+}/g, "no-id")}?page=no-page`;
    const reply = await call(route.method.toUpperCase(), path, { token: member.token });
    expectProblem(reply, "forbidden");
  });
});

describe.each(cases(({ auth, method, takes }) => auth === "user" && method !== "get" && takes === undefined))(
  "%s",
  (_name, route) => {
    const send = (contentType: string, body: string | Uint8Array<ArrayBuffer>) =>
      call(route.method.toUpperCase(), pathOf(route), {
        token: member.token,
        init: { headers: { "content-type": contentType }, body },
      });

    it.each(["{", '{"a":1} {', "undefined", "[1,]"])("rejects a body that is not JSON: %s", async (body) => {
      expectProblem(await send("application/json", body), "malformed_json");
    });

    it("rejects a body that is not UTF-8", async () => {
      expectProblem(await send("application/json", Uint8Array.of(0x22, 0xff, 0x22)), "malformed_json");
    });

    it("rejects a body without a JSON media type", async () => {
      expectProblem(await send("text/plain", "{}"), "unsupported_media_type");
      expectProblem(await send("application/x-www-form-urlencoded", "a=1"), "unsupported_media_type");
    });

    it("rejects a body of more than 64 KiB, declared or not", async () => {
      const body = JSON.stringify({ filler: "x".repeat(64 * 1024) });
      expectProblem(await send("application/json", body), "body_too_large");
      const stream = new Blob([body]).stream();
      const undeclared = await call(route.method.toUpperCase(), pathOf(route), {
        token: member.token,
        init: { headers: { "content-type": "application/json" }, body: stream, duplex: "half" } as RequestInit,
      });
      expectProblem(undeclared, "body_too_large");
    });

    it.each([null, [], "text", 1, true])("rejects a body that is not an object: %j", async (json) => {
      expectProblem(
        await call(route.method.toUpperCase(), pathOf(route), { token: member.token, json }),
        "invalid_argument",
      );
    });

    it("rejects and names an unknown field", async () => {
      const reply = await call(route.method.toUpperCase(), pathOf(route), {
        token: member.token,
        json: { surprise: 1, "a/b": 2 },
      });
      expectProblem(reply, "invalid_argument");
      expect(reply.body.errors).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ in: "body", pointer: "/surprise" }),
          expect.objectContaining({ in: "body", pointer: "/a~1b" }),
        ]),
      );
    });
  },
);
