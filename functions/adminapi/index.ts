import { createService } from "../_shared/routes/service.ts";
import { createAdminApp } from "./app.ts";

const app = createAdminApp(createService("adminapi", Deno.env));

export default { fetch: (request: Request): Response | Promise<Response> => app.fetch(request) };
