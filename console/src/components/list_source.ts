import type { AdminPaths } from "../../../client/index.ts";

/** A list of `adminapi`: what its pages are read from, and what an export reads from the first page to the last. */
export interface ListSource<Path extends keyof AdminPaths = keyof AdminPaths> {
  path: Path;
  params: { path?: Record<string, unknown>; query?: Record<string, unknown> };
}
