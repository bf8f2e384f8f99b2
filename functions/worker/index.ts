import { createService } from "../_shared/routes/service.ts";
import { createWorkerApp } from "./app.ts";

const app = createWorkerApp(createService("worker", Deno.env));

export default { fetch: (request: Request): Response | Promise<Response> => app.fetch(request) };
