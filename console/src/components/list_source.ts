import type { AdminPaths } from "../../../client/index.ts";

/** A list of `adminapi`. The table reads single pages, an export all pages. */
export interface ListSource<Path extends keyof AdminPaths = keyof AdminPaths> {
  path: Path;
  params: { path?: Record<string, unknown>; query?: Record<string, unknown> };
}
