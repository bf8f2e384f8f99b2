import { createApp } from "../_shared/http/create_app.ts";
import type { AppDefinition } from "../_shared/routes/route.ts";
import type { Service } from "../_shared/routes/service.ts";
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
