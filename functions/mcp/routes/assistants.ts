import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { serveAssistant } from "../serve_assistant.ts";

/** A message of JSON-RPC. Batches are not part of the protocol any more. */
const message = z.looseObject({ jsonrpc: z.literal("2.0") });

export const assistantRoutes = [
  defineRoute({
    method: "post",
    path: "/mcp",
    auth: "assistant",
    tag: "Assistants",
    summary: "Messages of the Model Context Protocol",
    description:
      "Streamable HTTP without sessions: each message is a request, and its answer is JSON. The tools are reads of the administration API. A machine key may use those that its scopes allow.",
    request: { body: message },
    response: message.openapi({ description: "Without a body and with the status 202 for a notification." }),
    errors: ["not_acceptable", "unsupported_protocol_version"],
    calls: "call_tool",
    handler: serveAssistant,
  }),
] as const;
