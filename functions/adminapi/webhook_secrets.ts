import { z } from "@hono/zod-openapi";
import { rejectKey } from "../_shared/routes/idempotency.ts";
import { Problem } from "../_shared/responses/problem.ts";
import { readInput } from "../_shared/http/read_input.ts";
import { respondJson } from "../_shared/responses/respond.ts";
import type { Route, RouteHandler } from "../_shared/routes/route.ts";
import type { Service } from "../_shared/routes/service.ts";
import { newSalt, readWebhookSecret, secretText } from "../_shared/secrets/webhook_signature.ts";

/** The bodies of the requests, as the schemas of the routes validate them. */
const created = z.object({ url: z.string(), description: z.string(), types: z.array(z.string()) });
const rotated = z.object({ hours: z.int().optional() });

/** A salt for a secret, and the secret as it is shown this once. */
async function rollSecret({ env }: Service): Promise<{ salt: string; secret: string }> {
  const secretOf = readWebhookSecret(env);
  if (!secretOf) throw new Problem("webhooks_not_configured");
  const salt = newSalt();
  return { salt, secret: secretText(await secretOf(salt)) };
}

const respondOnce = (c: Parameters<RouteHandler>[0], route: Route, secret: string, webhook: string) =>
  respondJson(c, `{"secret": ${JSON.stringify(secret)}, "webhook": ${webhook}}`, route.status);

/** Makes a webhook. Its secret is made here, so that neither the database nor its log ever has it. */
export function createWebhook(service: Service, route: Route): RouteHandler {
  return async (c, claims) => {
    rejectKey(c);
    const { url, description, types } = created.parse((await readInput(c, route)).body);
    const { salt, secret } = await rollSecret(service);
    const args = { p_url: url, p_description: description, p_types: types, p_salt: salt };
    const webhook = await service.database.callAsCaller(claims, "create_webhook", args, {
      id: c.get("requestId"),
      writes: true,
    });
    return respondOnce(c, route, secret, webhook);
  };
}

/** Gives a webhook another secret. */
export function rotateWebhookSecret(service: Service, route: Route): RouteHandler {
  return async (c, claims) => {
    rejectKey(c);
    const { path, body } = await readInput(c, route);
    const { hours } = rotated.parse(body ?? {});
    const { salt, secret } = await rollSecret(service);
    const args = { p_id: (path as { id: number }).id, p_salt: salt, ...(hours !== undefined && { p_hours: hours }) };
    const webhook = await service.database.callAsCaller(claims, "rotate_webhook_secret", args, {
      id: c.get("requestId"),
      writes: true,
    });
    return respondOnce(c, route, secret, webhook);
  };
}
