import { createService } from "../_shared/routes/service.ts";
import { createPosterApp } from "./app.ts";

const app = createPosterApp(createService("poster", Deno.env));

export default { fetch: (request: Request): Response | Promise<Response> => app.fetch(request) };
