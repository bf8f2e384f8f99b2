import { z } from "@hono/zod-openapi";
import { KEY_SCOPES } from "../../_shared/access/key_scopes.ts";
import { actor } from "../../_shared/resources/actions.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, idPath, listOf, time, timestamp, visibleText } from "../../_shared/resources/schemas.ts";
import { createMachineKey } from "../create_machine_key.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const scope = z.enum(KEY_SCOPES);

const callsPerHour = z.int().min(1).max(100_000);

const machineKey = z
  .strictObject({
    id,
    name: z.string(),
    scopes: z.array(scope),
    lost_scopes: z.array(scope).openapi({
      description: bilingual(
        "Those of scopes that do nothing now, because the roles of the owner no longer allow them.",
        "scopes 中因负责人的角色不再允许而失效的权限。",
      ),
      example: [],
    }),
    calls_per_hour: callsPerHour,
    state: z.enum(["active", "blocked", "ended", "expired", "revoked"]).openapi({
      description: bilingual(
        "Only an active key works. blocked: its owner is banned or no administrator any more, and it works again with them or another owner. ended: its owner had left, and nobody took it over within 30 days.",
        "只有 active 可用。blocked：负责人已停用或不再是管理员，其恢复或由他人接管后可用。ended：负责人已离开，且 30 天内无人接管。",
      ),
    }),
    owner: actor.openapi({
      description: bilingual(
        "The administrator who answers for the key, and as whom it counts.",
        "对密钥负责的管理员，密钥视同其本人。",
      ),
    }),
    owner_left_at: time.nullable(),
    created_by: actor,
    created_at: time,
    ends_at: time.openapi({
      description: bilingual(
        "Until when it works, unless it is revoked. After its owner has left: until when it can be handed over.",
        "密钥可用至此时间，除非提前吊销。负责人离开后：可移交至此时间。",
      ),
    }),
    last_used_at: time.nullable().openapi({ description: bilingual("To the minute.", "精确到分钟。") }),
    revoked_at: time.nullable(),
  })
  .openapi("MachineKey");

export const machineKeyRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/machine_key",
    auth: "admin",
    tag: "System",
    summary: bilingual("All machine keys, those that work first", "全部机器密钥，有效的在前"),
    response: listOf(machineKey),
    calls: "get_machine_keys",
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/machine_key",
    auth: "admin",
    tag: "System",
    summary: bilingual("Make a machine key", "新建机器密钥"),
    description: bilingual(
      "The response is the only one that ever has the secret, of which the store keeps a hash. The caller owns the key. Needs a second factor. Idempotency-Key is rejected.",
      "密钥只在此次响应中出现，商城仅保存其哈希值。密钥归创建者所有。需要第二重验证。不接受 Idempotency-Key。",
    ),
    request: {
      body: z.strictObject({
        name: visibleText(64).openapi({
          description: bilingual("What uses the key.", "使用该密钥的系统。"),
          example: "Warehouse",
        }),
        scopes: z.array(scope).min(1).max(KEY_SCOPES.length),
        expires_at: timestamp.optional().openapi({
          description: bilingual("Within two years. Without it, after one year.", "两年以内；不提供时为一年后。"),
        }),
        calls_per_hour: callsPerHour
          .optional()
          .openapi({ description: bilingual("Without it, 3600.", "不提供时为 3600。") }),
      }),
    },
    status: 201,
    response: z.strictObject({
      secret: z.string().openapi({
        description: bilingual("What the program sends as a bearer token.", "程序以 bearer token 发送的内容。"),
        example: `sck_1_${"0".repeat(64)}`,
      }),
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
    summary: bilingual("Hand a machine key over to another administrator", "将机器密钥移交给另一位管理员"),
    description: bilingual(
      "Secret and scopes stay as they are, so nothing that uses the key notices. The roles of the new owner must allow the scopes. A key with the scope money:write is not handed over, because it counts as whoever made it. Needs a second factor.",
      "密钥与权限保持不变，使用方不受影响。新负责人的角色须允许这些权限。具有 money:write 权限的密钥视同创建者本人，不能移交。需要第二重验证。",
    ),
    request: {
      path: idPath,
      body: z.strictObject({
        owner: z
          .uuid()
          .openapi({ description: bilingual("auth_id of an active administrator.", "现任管理员的 auth_id。") }),
      }),
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
    summary: bilingual("Revoke a machine key", "吊销机器密钥"),
    description: bilingual("It works never again, from the next call on.", "从下一次调用起永久失效。"),
    request: { path: idPath },
    response: machineKey,
    errors: ["machine_key_not_found"],
    calls: "revoke_machine_key",
  }),
] as const;
