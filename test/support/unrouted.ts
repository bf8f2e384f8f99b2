import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../scripts/ground/paths.ts";

/** The routes that docs/scale.md lists as not routed to the shards yet, such as `GET /api/user/session`. */
export function unroutedRoutes(): string[] {
  const [, section = ""] = readFileSync(join(projectRoot, "docs/scale.md"), "utf8").split("#### What is not routed yet");
  return [...section.split("\n### ")[0]!.matchAll(/`((?:GET|POST|PUT|DELETE) [^`]+)`/g)].map(([, route]) => route!);
}

/** Set to 1 while tests are collected that run on shards. */
export const onShardsVariable = "STORE_TEST_ON_SHARDS";

/** Whether the stack of the tests has a route, such as `GET /api/user/session`. */
export const isRouted = (route: string): boolean => process.env[onShardsVariable] !== "1" || !unroutedRoutes().includes(route);
