import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Route } from "../../functions/_shared/routes/route.ts";
import {
  cloneDatabase,
  type ClonedDatabase,
  connect,
  type EdgeFunction,
  serveEdgeFunction,
  testSize,
} from "../support/index.ts";
import { accountIdOf, call, routes, signUpAdmin } from "./client.ts";

const NOBODY = "900000000000001";
const writes = routes.filter(({ method }) => method !== "get");

let token: string;
let clone: ClonedDatabase;
const functions: Record<string, EdgeFunction> = {};

// Uses a separate database, because accepted bodies may change the plan, levels or settings that other tests depend on.
beforeAll(async () => {
  // An administrator may call every route.
  const admin = await signUpAdmin("Fuzzer");
  ({ token } = admin);
  clone = await cloneDatabase();
  const sql = connect(clone.url);
  await sql`insert into auth.users (email_confirmed_at, id, email) values (now(), ${accountIdOf(admin)}, 'fuzzer@example.com')`;
  await sql`update auth.users set role = 'store_admin' where id = ${accountIdOf(admin)}`;
  await sql.end();
  await Promise.all(
    [...new Set(writes.map(slugOf))].map(async (name) => {
      functions[name] = await serveEdgeFunction(name, clone.url, {});
    }),
  );
});
afterAll(async () => {
  await Promise.all(Object.values(functions).map((served) => served.stop()));
  await clone?.drop();
});

function slugOf({ path }: { path: string }): string {
  return path.split("/")[1]!;
}

/** The names of all fields of a body schema, including nested fields. */
const namesOf = ({ request }: Route) => [
  ...new Set(namesIn(request.body.toJSONSchema({ io: "input", unrepresentable: "any" }))),
];

function namesIn(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own = "properties" in schema ? Object.keys(schema.properties as object) : [];
  return [...own, ...Object.values(schema).flatMap(namesIn)];
}

/** JSON of any shape, and objects that use the fields of our own bodies with any values. */
const anyBody = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(
    fc.constantFrom(...new Set(writes.flatMap(namesOf)), "__proto__", "constructor", "\0"),
    fc.oneof(fc.jsonValue(), fc.maxSafeInteger(), fc.string({ unit: "binary" }), fc.boolean()),
  ),
  fc.record({ items: fc.array(fc.record({ product_id: fc.jsonValue(), quantity: fc.jsonValue() })) }),
  fc.record({ lines: fc.array(fc.record({ line_id: fc.jsonValue(), quantity: fc.jsonValue() })) }),
);

/** Like that, with only the fields of one route, so that more bodies pass validation. */
const ownBody = (names: string[]) =>
  fc.dictionary(
    fc.constantFrom(...names),
    fc.oneof(fc.jsonValue(), fc.integer(), fc.double(), fc.string(), fc.array(fc.double({ min: 0, max: 1 }))),
  );

describe.each(writes.map((route) => [`${route.method} ${route.path}`, route] as const))("%s", (_name, route) => {
  it("responds to arbitrary JSON as declared and in the requested language, never with an internal error", async () => {
    const names = namesOf(route);
    await fc.assert(
      fc.asyncProperty(names.length > 0 ? fc.oneof(anyBody, ownBody(names)) : anyBody, async (json) => {
        const path = route.path.replaceAll(/{\w+}/g, NOBODY);
        const { status } = await call(route.method.toUpperCase(), path, {
          token,
          json,
          base: functions[slugOf(route)]!.base,
          init: { headers: { "accept-language": "zh-CN" } },
        });
        expect(status).toBeLessThan(500);
        // No record has the id in the path.
        if (route.path.includes("{")) expect(status).toBeGreaterThanOrEqual(400);
      }),
      { numRuns: testSize.bodiesPerRoute },
    );
  });
});
