import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { sendSignInCode } from "../send_sign_in_code.ts";

export const memberRoutes = [
  defineRoute({
    method: "post",
    path: "/worker/sms",
    auth: "public",
    tag: "Worker",
    summary: "Send a sign-in code by text message",
    description: "For the hook Send SMS of Supabase Auth, which signs its messages according to Standard Webhooks.",
    response: z.strictObject({
      error: z
        .strictObject({ http_code: z.int(), message: z.string() })
        .optional()
        .openapi({ description: "Why no code was sent, as Supabase Auth passes it on." }),
    }),
    errors: ["signature_invalid"],
    calls: "count_code",
    handler: sendSignInCode,
  }),
] as const;
