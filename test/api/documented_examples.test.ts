import { beforeAll, expect, it } from "vitest";
import { documents } from "../../scripts/testing/openapi.ts";
import { type Account, call, signUpAdmin } from "./client.ts";

// What a collection of requests that is generated from the documents sends before anybody has changed a value.

let admin: Account;
beforeAll(async () => {
  admin = await signUpAdmin("Reader of examples");
});

const reads = ["api", "adminapi"].flatMap((name) =>
  Object.entries(documents[name]!.paths).flatMap(([path, { get }]) =>
    get ? [[path, get.parameters ?? []] as const] : [],
  ),
);

it.each(reads)("GET %s takes all its examples at once", async (path, parameters) => {
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const named = of("path").reduce((rest, { name, example }) => rest.replace(`{${name}}`, String(example)), path);
  const query = new URLSearchParams(of("query").map(({ name, example }) => [name, String(example)]));
  const reply = await call("GET", `${named}?${query}`, {
    token: admin.token,
    init: { headers: Object.fromEntries(of("header").map(({ name, example }) => [name, String(example)])) },
  });
  // A new store has no past.
  if (/"month_not_sealed"|"The store had no members at the time of as_of\."/.test(reply.text)) return;
  // Nobody has the ids, and no example is signed by WeChat.
  expect(path === "/api/wechat/message" ? [401] : [200, 302, 403, 404], reply.text).toContain(reply.status);
});
