import { createApp } from "../_shared/http/create_app.ts";
import type { AppDefinition } from "../_shared/routes/route.ts";
import type { Service } from "../_shared/routes/service.ts";
import { memberRoutes } from "./routes/members.ts";
import { outboxRoutes } from "./routes/outbox.ts";

/** All routes of the worker. */
export const workerRoutes = [...outboxRoutes, ...memberRoutes] as const;

/** The definition of the edge function `worker`. */
export const workerDefinition: AppDefinition = {
  name: "worker",
  title: "Store worker",
  description: "For the store itself: its scheduler and its Auth server call it.",
  routes: workerRoutes,
};

/** The HTTP application of the edge function `worker`. */
export function createWorkerApp(service: Service) {
  return createApp(workerDefinition, service);
}
