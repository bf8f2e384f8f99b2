import type { Route } from "../../functions/_shared/routes/route.ts";
import { routes } from "./client.ts";

/** An id that does not exist, so that no call of these tests changes anything. */
const NOBODY = "900000000000001";

/** The path of a route for records that do not exist. The provider of the local stack takes notifications. */
export const pathOf = ({ path }: Route) => path.replace("{provider}", "local").replaceAll(/{\w+}/g, NOBODY);

const name = (route: Route) => `${route.method.toUpperCase()} ${route.path}`;

/** The routes for which the filter is true, with their names. */
export const cases = (filter: (route: Route) => boolean) =>
  routes.filter(filter).map((route) => [name(route), route] as const);
