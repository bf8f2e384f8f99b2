import { createApp } from "../_shared/http/create_app.ts";
import type { AppDefinition } from "../_shared/routes/route.ts";
import type { Service } from "../_shared/routes/service.ts";
import { pictureRoutes } from "./routes/posters.ts";

/** All routes of the pictures of share posters. */
export const posterRoutes = [...pictureRoutes] as const;

/** The definition of the edge function `poster`. */
export const posterDefinition: AppDefinition = {
  name: "poster",
  title: "Store share posters",
  description: "For the pictures that members share.",
  routes: posterRoutes,
};

/** The HTTP application of the edge function `poster`. */
export function createPosterApp(service: Service) {
  return createApp(posterDefinition, service);
}
