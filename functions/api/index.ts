import { reportSettings } from "../_shared/database/report_settings.ts";
import { createService } from "../_shared/routes/service.ts";
import { createApiApp } from "./app.ts";

const service = createService("api", Deno.env);
// All functions of a project have the same variables, so one of them reports.
const reported = reportSettings(service);
const app = await startApp();

async function startApp() {
  try {
    return createApiApp(service);
  } catch (error) {
    // A variable is missing, and the function does not start. The configuration check then says which.
    await reported;
    throw error;
  }
}

export default { fetch: (request: Request): Response | Promise<Response> => app.fetch(request) };
