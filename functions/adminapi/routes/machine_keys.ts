import { z } from "@hono/zod-openapi";
import { KEY_SCOPES } from "../../_shared/access/key_scopes.ts";
import { actor } from "../../_shared/resources/actions.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, idPath, listOf, time, timestamp, visibleText } from "../../_shared/resources/schemas.ts";
import { createMachineKey } from "../create_machine_key.ts";

const scope = z.enum(KEY_SCOPES);

const callsPerHour = z.int().min(1).max(100_000);

const machineKey = z
  .strictObject({
    id,
    name: z.string(),
    scopes: z.array(scope),
    lost_scopes: z
      .array(scope)
      .openapi({ description: "Those of scopes that do nothing now, because the roles of the owner no longer allow them.", example: [] }),
    calls_per_hour: callsPerHour,
    state: z.enum(["active", "blocked", "ended", "expired", "revoked"]).openapi({
      description:
        "Only an active key works. blocked: its owner is banned or no administrator any more, and it works again with them or another owner. ended: its owner had left, and nobody took it over within 30 days.",
    }),
    owner: actor.openapi({ description: "The administrator who answers for the key, and as whom it counts." }),
    owner_left_at: time.nullable(),
    created_by: actor,
    created_at: time,
    ends_at: time.openapi({
      description: "Until when it works, unless it is revoked. After its owner has left: until when it can be handed over.",
    }),
    last_used_at: time.nullable().openapi({ description: "To the minute." }),
    revoked_at: time.nullable(),
  })
  .openapi("MachineKey");

export const machineKeyRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/machine_key",
    auth: "admin",
    tag: "System",
    summary: "All machine keys, those that work first",
    response: listOf(machineKey),
    calls: "get_machine_keys",
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/machine_key",
    auth: "admin",
    tag: "System",
    summary: "Make a machine key",
    description:
      "The response is the only one that ever has the secret, of which the store keeps a hash. The caller owns the key. Needs a second factor. Idempotency-Key is rejected.",
    request: {
      body: z.strictObject({
        name: visibleText(64).openapi({ description: "What uses the key.", example: "Warehouse" }),
        scopes: z.array(scope).min(1).max(KEY_SCOPES.length),
        expires_at: timestamp.optional().openapi({ description: "Within two years. Without it, after one year." }),
        calls_per_hour: callsPerHour.optional().openapi({ description: "Without it, 3600." }),
      }),
    },
    status: 201,
    response: z.strictObject({
      secret: z.string().openapi({ description: "What the program sends as a bearer token.", example: `sck_1_${"0".repeat(64)}` }),
      machine_key: machineKey,
    }),
    calls: "create_machine_key",
    handler: createMachineKey,
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/machine_key/{id}/owner",
    auth: "admin",
    tag: "System",
    summary: "Hand a machine key over to another administrator",
    description:
      "Secret and scopes stay as they are, so nothing that uses the key notices. The roles of the new owner must allow the scopes. A key with the scope money:write is not handed over, because it counts as whoever made it. Needs a second factor.",
    request: {
      path: idPath,
      body: z.strictObject({ owner: z.uuid().openapi({ description: "auth_id of an active administrator." }) }),
    },
    response: machineKey,
    errors: ["machine_key_not_found", "administrator_not_found", "changed_meanwhile"],
    calls: "hand_over_machine_key",
  }),
  defineRoute({
    method: "delete",
    path: "/adminapi/machine_key/{id}",
    auth: "admin",
    tag: "System",
    summary: "Revoke a machine key",
    description: "It works never again, from the next call on.",
    request: { path: idPath },
    response: machineKey,
    errors: ["machine_key_not_found"],
    calls: "revoke_machine_key",
  }),
] as const;
