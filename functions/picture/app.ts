import { createApp } from "../_shared/create_app.ts";
import type { AppDefinition } from "../_shared/route.ts";
import type { Service } from "../_shared/service.ts";
import { pictureRoutes } from "./routes/pictures.ts";

/** The definition of the edge function `picture`. */
export const pictureDefinition: AppDefinition = {
  name: "picture",
  title: "Store pictures",
  description: "For pictures that members and administrators upload.",
  routes: pictureRoutes,
};

/** The HTTP application of the edge function `picture`. */
export function createPictureApp(service: Service) {
  return createApp(pictureDefinition, service);
}
