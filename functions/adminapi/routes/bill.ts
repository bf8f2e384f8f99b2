import { billRow, billType } from "../../_shared/resources/bill.ts";
import { defineRoute } from "../../_shared/route.ts";
import { cursorPaging, logOf, period, uidPath } from "../../_shared/schemas.ts";

export const billRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/user/{uid}/bill",
    auth: "admin",
    tag: "Members",
    summary: "The bill of one member, newest first",
    request: { path: uidPath, query: cursorPaging.extend({ type: billType.optional(), ...period }) },
    response: logOf(billRow),
    errors: ["user_not_found"],
    calls: "admin_get_bill",
    args: ({ path, query }) => ({
      p_uid: path.uid,
      p_type: query.type,
      p_from: query.from,
      p_to: query.to,
      p_page: query.page,
      p_limit: query.limit,
      p_cursor: query.cursor,
    }),
  }),
] as const;
