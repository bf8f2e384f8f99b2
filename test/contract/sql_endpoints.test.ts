import { describe, expect, it } from "vitest";
import { adminDefinition } from "../../functions/adminapi/app.ts";
import { apiDefinition } from "../../functions/api/app.ts";
import { mcpDefinition } from "../../functions/mcp/app.ts";
import { pictureDefinition } from "../../functions/picture/app.ts";
import { posterDefinition } from "../../functions/poster/app.ts";
import { workerDefinition } from "../../functions/worker/app.ts";
import { files } from "../../scripts/structure/sql_source.ts";

const endpoint = /\b(GET|POST|PUT|DELETE) (\/(?:mcp|(?:adminapi|api|picture|poster|worker)\/[\w/{}]+))/g;

/** The endpoints that the comment of each function of schema api names, also of one that is made from the catalogue. */
const named = files
  .flatMap(({ text }) => [...text.matchAll(/^comment on function api\.(\w+)[^']*?\bis\s+'([\s\S]*?)';$/gm)])
  .flatMap(([, name, comment]) =>
    [...comment!.replaceAll(/'\n\s*'/g, "").matchAll(endpoint)].map(
      ([, method, url]) => `${name} serves ${method} ${url}`,
    ),
  );

const routes = [
  apiDefinition,
  adminDefinition,
  mcpDefinition,
  pictureDefinition,
  posterDefinition,
  workerDefinition,
].flatMap((app) => app.routes);
const served = routes.map((route) => `${route.calls} serves ${route.method.toUpperCase()} ${route.path}`);

describe("comments on the functions of schema api", () => {
  it("name the endpoint of every route that calls them", () => {
    expect(served.filter((sentence) => !named.includes(sentence))).toEqual([]);
  });

  it("name endpoints that exist", () => {
    const endpoints = new Set(routes.map((route) => `${route.method.toUpperCase()} ${route.path}`));
    expect(named.filter((sentence) => !endpoints.has(sentence.split(" serves ")[1]!))).toEqual([]);
  });
});
