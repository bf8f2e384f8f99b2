import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { call, routes, signUpAdmin } from "./client.ts";

const NOBODY = "900000000000001";
const RUNS = 60;

let token: string;
beforeAll(async () => {
  // An administrator may call every route.
  ({ token } = await signUpAdmin("Fuzzer"));
});

/** JSON of any shape, and objects that use the fields of our own bodies with any values. */
const anyBody = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(
    fc.constantFrom("items", "spread_uid", "pay_ref", "no_assess", "status", "__proto__", "constructor", "\0"),
    fc.oneof(fc.jsonValue(), fc.maxSafeInteger(), fc.string({ unit: "binary" })),
  ),
  fc.record({ items: fc.array(fc.record({ product_id: fc.jsonValue(), quantity: fc.jsonValue() })) }),
);

describe.each(routes.filter(({ method }) => method !== "get").map((route) => [`${route.method} ${route.path}`, route] as const))(
  "%s",
  (_name, route) => {
    it("answers arbitrary JSON with a refusal that it declares, never with a fault of its own", async () => {
      await fc.assert(
        fc.asyncProperty(anyBody, async (json) => {
          const { status } = await call(route.method.toUpperCase(), route.path.replaceAll(/{\w+}/g, NOBODY), { token, json });
          expect(status).toBeGreaterThanOrEqual(400);
          expect(status).toBeLessThan(500);
        }),
        { numRuns: RUNS },
      );
    });
  },
);
