import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { visibleText } from "../../_shared/resources/schemas.ts";
import { VALUE_LISTS } from "../../_shared/ground/value_lists.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

/** The lists of the console whose views can be saved. */
const savedViewPage = z.enum(VALUE_LISTS["saved_views.page"]);

const views = z
  .array(
    z.strictObject({
      name: visibleText(60),
      query: visibleText(1000).openapi({
        description: bilingual("The filters as the address of the page has them.", "页面地址中的筛选条件。"),
        example: "state=paid&from=2026-11-01",
      }),
    }),
  )
  .max(20);
const ownViews = z.strictObject({ views }).openapi("OwnViews");
const path = z.strictObject({ page: savedViewPage.openapi({ example: "orders" }) });

export const savedViewRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/me/view/{page}",
    auth: "admin",
    tag: "Overview",
    summary: bilingual("The views of a list that the caller has saved", "当前管理员保存的列表视图"),
    request: { path },
    response: ownViews,
    calls: "get_own_views",
    args: ({ path: { page } }) => ({ p_page: page }),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/me/view/{page}",
    auth: "admin",
    tag: "Overview",
    summary: bilingual("Save, rename or delete views of a list", "保存、重命名或删除列表视图"),
    description: bilingual(
      "Replaces all views of the list, whose names differ. Nobody else sees them. The action log has their number, not their texts.",
      "替换该列表的全部视图，名称不可重复。仅本人可见。操作记录只有数量，没有内容。",
    ),
    request: { path, body: z.strictObject({ views }) },
    response: ownViews,
    calls: "set_own_views",
    args: ({ path: { page }, body }) => ({ p_page: page, p_views: body.views }),
  }),
] as const;
