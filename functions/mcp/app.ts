import { createApp } from "../_shared/http/create_app.ts";
import type { AppDefinition } from "../_shared/routes/route.ts";
import type { Service } from "../_shared/routes/service.ts";
import { assistantRoutes } from "./routes/assistants.ts";

/** The definition of the edge function `mcp`. */
export const mcpDefinition: AppDefinition = {
  name: "mcp",
  title: "Store tools for assistants",
  description: "For assistants, by the Model Context Protocol: what they may read of the store.",
  routes: assistantRoutes,
};

/** The HTTP application of the edge function `mcp`. */
export function createMcpApp(service: Service) {
  return createApp(mcpDefinition, service);
}
