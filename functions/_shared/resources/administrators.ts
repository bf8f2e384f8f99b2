import { z } from "@hono/zod-openapi";

/** Roles of administrators. */
export const role = z.enum(["owner", "finance", "service", "content"]);

/** What administrators may change, depending on their roles; records: that they read members, orders and money. */
export const area = z.enum(["records", "content", "orders", "refunds", "members", "money", "plan", "system", "administrators", "keys"]);
