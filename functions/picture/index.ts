import { createService } from "../_shared/routes/service.ts";
import { createPictureApp } from "./app.ts";

const app = createPictureApp(createService("picture", Deno.env));

export default { fetch: (request: Request): Response | Promise<Response> => app.fetch(request) };
