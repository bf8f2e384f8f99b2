import { createApp } from "../_shared/create_app.ts";
import type { AppDefinition } from "../_shared/route.ts";
import type { Service } from "../_shared/service.ts";
import { hjfRoutes } from "./routes/hjf.ts";
import { orderRoutes } from "./routes/order.ts";
import { paymentRoutes } from "./routes/payment.ts";
import { productRoutes } from "./routes/product.ts";
import { signRoutes } from "./routes/sign.ts";
import { spreadRoutes } from "./routes/spread.ts";
import { systemRoutes } from "./routes/system.ts";
import { userRoutes } from "./routes/user.ts";

/** Everything that members and visitors call. */
export const apiRoutes = [
  ...signRoutes,
  ...productRoutes,
  ...userRoutes,
  ...hjfRoutes,
  ...spreadRoutes,
  ...orderRoutes,
  ...paymentRoutes,
  ...systemRoutes,
] as const;

/** What the edge function `api` is. */
export const apiDefinition: AppDefinition = { name: "api", title: "Store API", routes: apiRoutes };

/** The HTTP application of the edge function `api`. */
export function createApiApp(service: Service) {
  return createApp(apiDefinition, service);
}
