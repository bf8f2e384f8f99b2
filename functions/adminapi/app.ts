import { createApp } from "../_shared/create_app.ts";
import type { AppDefinition } from "../_shared/route.ts";
import type { Service } from "../_shared/service.ts";
import { actionRoutes } from "./routes/action.ts";
import { agentRoutes } from "./routes/agent.ts";
import { articleRoutes } from "./routes/article.ts";
import { articleCategoryRoutes } from "./routes/article_category.ts";
import { brokerageRoutes } from "./routes/brokerage.ts";
import { jobRoutes } from "./routes/job.ts";
import { memberRoutes } from "./routes/member.ts";
import { memberHistoryRoutes } from "./routes/member_history.ts";
import { orderRoutes } from "./routes/order.ts";
import { overviewRoutes } from "./routes/overview.ts";
import { paymentRoutes } from "./routes/payment.ts";
import { pointsRoutes } from "./routes/points.ts";
import { productRoutes } from "./routes/product.ts";
import { refundRoutes } from "./routes/refund.ts";
import { scheduleRoutes } from "./routes/schedule.ts";
import { settingsRoutes } from "./routes/settings.ts";
import { simulationRoutes } from "./routes/simulation.ts";
import { systemRoutes } from "./routes/system.ts";

/** Everything that administrators call. */
export const adminRoutes = [
  ...overviewRoutes,
  ...memberRoutes,
  ...memberHistoryRoutes,
  ...pointsRoutes,
  ...orderRoutes,
  ...refundRoutes,
  ...paymentRoutes,
  ...productRoutes,
  ...articleRoutes,
  ...articleCategoryRoutes,
  ...brokerageRoutes,
  ...agentRoutes,
  ...simulationRoutes,
  ...jobRoutes,
  ...scheduleRoutes,
  ...settingsRoutes,
  ...systemRoutes,
  ...actionRoutes,
] as const;

/** What the edge function `adminapi` is. */
export const adminDefinition: AppDefinition = { name: "adminapi", title: "Store administration API", routes: adminRoutes };

/** The HTTP application of the edge function `adminapi`. */
export function createAdminApp(service: Service) {
  return createApp(adminDefinition, service);
}
