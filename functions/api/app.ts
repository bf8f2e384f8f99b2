import { createApp } from "../_shared/http/create_app.ts";
import type { AppDefinition } from "../_shared/routes/route.ts";
import type { Service } from "../_shared/routes/service.ts";
import { addressRoutes } from "./routes/addresses.ts";
import { articleRoutes } from "./routes/articles.ts";
import { billRoutes } from "./routes/bill.ts";
import { cartRoutes } from "./routes/cart.ts";
import { firstPageRoutes } from "./routes/first_page.ts";
import { levelRoutes } from "./routes/levels.ts";
import { memberRoutes } from "./routes/members.ts";
import { personRequestRoutes } from "./routes/person_requests.ts";
import { noticeRoutes } from "./routes/notices.ts";
import { orderRoutes } from "./routes/orders.ts";
import { paymentRoutes } from "./routes/payments.ts";
import { posterRoutes } from "./routes/posters.ts";
import { productRoutes } from "./routes/products.ts";
import { prospectRoutes } from "./routes/prospects.ts";
import { realNameRoutes } from "./routes/real_names.ts";
import { refundRoutes } from "./routes/refunds.ts";
import { releaseRoutes } from "./routes/release.ts";
import { settlementRoutes } from "./routes/settlement.ts";
import { systemRoutes } from "./routes/system.ts";
import { wechatRoutes } from "./routes/wechat.ts";
import { teamRoutes } from "./routes/team.ts";
import { taxRoutes } from "./routes/tax.ts";
import { withdrawalRoutes } from "./routes/withdrawals.ts";
import { bilingual } from "../_shared/words/bilingual.ts";

/** All routes for members and visitors. */
export const apiRoutes = [
  ...articleRoutes,
  ...productRoutes,
  ...firstPageRoutes,
  ...memberRoutes,
  ...personRequestRoutes,
  ...wechatRoutes,
  ...billRoutes,
  ...levelRoutes,
  ...releaseRoutes,
  ...settlementRoutes,
  ...prospectRoutes,
  ...posterRoutes,
  ...teamRoutes,
  ...addressRoutes,
  ...cartRoutes,
  ...orderRoutes,
  ...refundRoutes,
  ...paymentRoutes,
  ...withdrawalRoutes,
  ...realNameRoutes,
  ...taxRoutes,
  ...noticeRoutes,
  ...systemRoutes,
] as const;

/** The definition of the edge function `api`. */
export const apiDefinition: AppDefinition = {
  name: "api",
  title: bilingual("Store API", "商城接口"),
  description: bilingual(
    "For members and visitors, in the app, the mini program and apps of others.",
    "供会员与访客使用：应用、小程序及第三方应用。",
  ),
  routes: apiRoutes,
};

/** The HTTP application of the edge function `api`. */
export function createApiApp(service: Service) {
  return createApp(apiDefinition, service);
}
