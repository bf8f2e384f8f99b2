import { createApp } from "../_shared/http/create_app.ts";
import type { AppDefinition } from "../_shared/routes/route.ts";
import type { Service } from "../_shared/routes/service.ts";
import { eventMessages } from "./event_messages.ts";
import { actionRoutes } from "./routes/actions.ts";
import { adjustmentRoutes } from "./routes/adjustments.ts";
import { administratorRoutes } from "./routes/administrators.ts";
import { articleCategoryRoutes } from "./routes/article_categories.ts";
import { articleRoutes } from "./routes/articles.ts";
import { billRoutes } from "./routes/bill.ts";
import { eventRoutes } from "./routes/events.ts";
import { financeRoutes } from "./routes/finance.ts";
import { firstPageRoutes } from "./routes/first_page.ts";
import { levelRoutes } from "./routes/levels.ts";
import { machineKeyRoutes } from "./routes/machine_keys.ts";
import { memberHistoryRoutes } from "./routes/member_history.ts";
import { memberRoutes } from "./routes/members.ts";
import { personRequestRoutes } from "./routes/person_requests.ts";
import { metricsRoutes } from "./routes/metrics.ts";
import { networkRoutes } from "./routes/network.ts";
import { noticeRoutes } from "./routes/notices.ts";
import { orderRoutes } from "./routes/orders.ts";
import { overviewRoutes } from "./routes/overview.ts";
import { paymentRoutes } from "./routes/payments.ts";
import { planRoutes } from "./routes/plans.ts";
import { productCategoryRoutes } from "./routes/product_categories.ts";
import { productRoutes } from "./routes/products.ts";
import { refundRoutes } from "./routes/refunds.ts";
import { releaseRoutes } from "./routes/release.ts";
import { reportRoutes } from "./routes/reports.ts";
import { scheduleRoutes } from "./routes/schedule.ts";
import { searchRoutes } from "./routes/search.ts";
import { settingsRoutes } from "./routes/settings.ts";
import { settlementRoutes } from "./routes/settlement.ts";
import { shippingRoutes } from "./routes/shipping.ts";
import { signalRoutes } from "./routes/signals.ts";
import { simulationRoutes } from "./routes/simulation.ts";
import { systemRoutes } from "./routes/system.ts";
import { savedViewRoutes } from "./routes/saved_views.ts";
import { waitingRoutes } from "./routes/waiting.ts";
import { verificationRoutes } from "./routes/verification.ts";
import { realNameRoutes } from "./routes/real_names.ts";
import { taxRoutes } from "./routes/tax.ts";
import { webhookRoutes } from "./routes/webhooks.ts";
import { withdrawalBatchRoutes } from "./routes/withdrawal_batches.ts";
import { withdrawalRoutes } from "./routes/withdrawals.ts";
import { bilingual } from "../_shared/words/bilingual.ts";

/** All routes for administrators. */
export const adminRoutes = [
  ...overviewRoutes,
  ...reportRoutes,
  ...networkRoutes,
  ...searchRoutes,
  ...waitingRoutes,
  ...savedViewRoutes,
  ...memberRoutes,
  ...personRequestRoutes,
  ...memberHistoryRoutes,
  ...billRoutes,
  ...adjustmentRoutes,
  ...financeRoutes,
  ...releaseRoutes,
  ...orderRoutes,
  ...refundRoutes,
  ...paymentRoutes,
  ...withdrawalRoutes,
  ...withdrawalBatchRoutes,
  ...realNameRoutes,
  ...taxRoutes,
  ...productRoutes,
  ...productCategoryRoutes,
  ...firstPageRoutes,
  ...articleRoutes,
  ...articleCategoryRoutes,
  ...planRoutes,
  ...levelRoutes,
  ...shippingRoutes,
  ...signalRoutes,
  ...verificationRoutes,
  ...simulationRoutes,
  ...settlementRoutes,
  ...scheduleRoutes,
  ...settingsRoutes,
  ...systemRoutes,
  ...administratorRoutes,
  ...machineKeyRoutes,
  ...webhookRoutes,
  ...metricsRoutes,
  ...actionRoutes,
  ...eventRoutes,
  ...noticeRoutes,
] as const;

/** The definition of the edge function `adminapi`. */
export const adminDefinition: AppDefinition = {
  name: "adminapi",
  title: bilingual("Store administration API", "商城管理接口"),
  description: bilingual(
    "For administrators, their console and machine keys: everything that runs the store.",
    "供管理员、管理后台与机器密钥使用：商城运营的全部功能。",
  ),
  routes: adminRoutes,
  messages: eventMessages,
};

/** The HTTP application of the edge function `adminapi`. */
export function createAdminApp(service: Service) {
  return createApp(adminDefinition, service);
}
