import type { Folder } from "./folder.ts";
import { paidOrder } from "./orders.ts";

export const refunds: Folder = { member: async (sql) => ({ refund: `/orders/${await paidOrder(sql)}/refund` }) };
