import { createService } from "../_shared/routes/service.ts";
import { createMcpApp } from "./app.ts";

const app = createMcpApp(createService("mcp", Deno.env));

export default { fetch: (request: Request): Response | Promise<Response> => app.fetch(request) };
