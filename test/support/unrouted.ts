import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { routes } from "../api/client.ts";

const PARTS = /-- Calls with one part at home and another on a shard\.\n(.*?);\n/s;

/**
 * The functions of members that scripts/scale/shards/home.sql does not route: those with a part at home and another one
 * on a shard.
 */
export function unroutedOfMembers(): string[] {
  const [, statement = ""] = PARTS.exec(readFileSync(join(projectRoot, "scripts/scale/shards/home.sql"), "utf8"))!;
  return [...statement.matchAll(/unnest\(\s*'\{([^}]*)\}'/g)].flatMap(([, names]) => names!.split(/,\s*/));
}

/** Set to 1 while tests are collected that run on shards. */
export const onShardsVariable = "STORE_TEST_ON_SHARDS";

/** Whether the stack of the tests has a route of members, such as `GET /api/user/session`. */
export function isRouted(name: string): boolean {
  if (process.env[onShardsVariable] !== "1") return true;
  const { calls } = routes.find(({ method, path }) => `${method.toUpperCase()} ${path}` === name)!;
  return !unroutedOfMembers().includes(calls);
}
