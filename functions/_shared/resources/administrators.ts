import { z } from "@hono/zod-openapi";
import { VALUE_LISTS } from "../ground/value_lists.ts";

/** Roles of administrators. */
export const role = z.enum(VALUE_LISTS["role_areas.role"]);

/** What administrators may change, depending on their roles; records: that they read members, orders and money. */
export const area = z.enum(VALUE_LISTS["role_areas.area"]);
