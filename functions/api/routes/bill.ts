import { billRow, billType } from "../../_shared/resources/bill.ts";
import { defineRoute } from "../../_shared/route.ts";
import { cursorPaging, logOf, period } from "../../_shared/schemas.ts";

export const billRoutes = [
  defineRoute({
    method: "get",
    path: "/api/bill",
    auth: "user",
    tag: "Member",
    summary: "The member's bill, newest first",
    request: { query: cursorPaging.extend({ type: billType.optional(), ...period }) },
    response: logOf(billRow),
    calls: "get_bill",
    args: ({ query }) => ({
      p_type: query.type,
      p_from: query.from,
      p_to: query.to,
      p_page: query.page,
      p_limit: query.limit,
      p_cursor: query.cursor,
    }),
  }),
] as const;
