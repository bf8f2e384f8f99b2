import { createService } from "../_shared/service.ts";
import { createApiApp } from "./app.ts";

const app = createApiApp(createService("api", Deno.env));

export default { fetch: (request: Request): Response | Promise<Response> => app.fetch(request) };
