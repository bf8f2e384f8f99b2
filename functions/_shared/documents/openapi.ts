import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { respondJson } from "../responses/respond.ts";
import { ERRORS } from "../responses/error_codes.ts";
import { type ErrorCode, errorEntry } from "../responses/error_registry.ts";
import { exampleOf, FORMAT_EXAMPLES, type Schema } from "./examples.ts";
import { acceptsKey, IDEMPOTENCY_KEY } from "../routes/idempotency.ts";
import { scopeOf } from "../routes/machine_key.ts";
import { type AppDefinition, mayChange, type Message, type Route } from "../routes/route.ts";
import { TAGS } from "../routes/tags.ts";
import { STORE_POSITION } from "../database/standby.ts";
import { SOURCE } from "../ground/version.ts";
import { bilingual } from "../words/bilingual.ts";

const BEARER = "bearer";
const METRICS_TOKEN = "metricsToken";
const MACHINE_KEY = "machineKey";

/**
 * Errors of every route. They include token errors, because an invalid token is rejected even on routes that need none.
 */
const COMMON_ERRORS: ErrorCode[] = [
  "invalid_token",
  "token_expired",
  "forbidden",
  "internal_error",
  "not_available_on_shards",
  "auth_unavailable",
  "database_unavailable",
  "database_busy",
  "storage_full",
  "database_timeout",
  "schema_not_served",
];
const BODY_ERRORS: ErrorCode[] = ["body_timeout", "body_too_large"];
const JSON_ERRORS: ErrorCode[] = ["malformed_json", "unsupported_media_type"];

const KEY_ERRORS: ErrorCode[] = ["idempotency_key_in_use", "idempotency_key_reused"];

const keyHeader = z.object({
  [IDEMPOTENCY_KEY]: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .openapi({
      example: FORMAT_EXAMPLES.uuid,
      description: bilingual(
        "A unique key for this write, such as a UUID. A repeated request with the same key gets the same response for a day and " +
          "has no second effect. The key of a failed request can be used again.",
        "此次写入的唯一键，例如 UUID。一天内以相同的键重复请求，将得到相同的响应，不会再次生效。请求失败后，其键可再次使用。",
      ),
    }),
});

const knownPosition = z.object({
  [STORE_POSITION]: z
    .string()
    .optional()
    .openapi({
      example: "00000001-00000000/016B3748",
      description: bilingual(
        "The greatest value of this header in earlier responses. The response is then not older than those. Without it, the response " +
          "may be some seconds old, if the store has a standby. An unknown value costs nothing but speed.",
        "此前各响应中该请求头的最大值。响应将不早于这些响应。不提供时，若商城有备库，响应可能滞后数秒。无法识别的值只影响速度。",
      ),
    }),
});

const newPosition = z.object({
  [STORE_POSITION]: z
    .string()
    .optional()
    .openapi({
      description: bilingual(
        "If the store has a standby: the position of its log after the request. Send the greatest one, as text, with later requests.",
        "商城有备库时，为请求完成后的日志位置。之后的请求请以文本形式附带其中最大的值。",
      ),
    }),
});

const entityTag = z.object({
  ETag: z.string().openapi({
    description: bilingual(
      "Send it as If-None-Match: an unchanged response is a 304.",
      "请以 If-None-Match 发送：内容未变化时响应为 304。",
    ),
  }),
});

const ProblemSchema = z
  .strictObject({
    type: z.string(),
    title: z.string().openapi({
      description: bilingual(
        "In English or Chinese, depending on Accept-Language.",
        "中文或英文，取决于 Accept-Language。",
      ),
    }),
    status: z.int(),
    detail: z.string().openapi({
      description: bilingual(
        "What is wrong, or what to do next. In the language of the title.",
        "错误原因或处理办法，语言与 title 相同。",
      ),
    }),
    code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]).openapi({
      description: bilingual("The stable error code. Base error handling on it.", "稳定的错误代码，请据此处理错误。"),
    }),
    request_id: z.string(),
    errors: z
      .array(
        z.strictObject({
          in: z.enum(["path", "query", "body", "header"]),
          pointer: z
            .string()
            .openapi({ description: bilingual("JSON Pointer to the field.", "指向该字段的 JSON Pointer。") }),
          detail: z.string(),
        }),
      )
      .optional(),
  })
  .openapi("Problem");

const PROBLEM = "application/problem+json";
const problemContent = { [PROBLEM]: { schema: { $ref: "#/components/schemas/Problem" } } };

/** The error responses, which operations refer to, each with its codes as the description. */
const PROBLEM_RESPONSES = {
  Problem: { description: bilingual("An error. `code` says which.", "错误，具体见 `code`。"), content: problemContent },
  TooManyRequests: {
    description: bilingual("Too many requests, or too many of a kind.", "请求过多，或同类请求过多。"),
    headers: {
      "Retry-After": {
        required: true,
        schema: {
          type: "string",
          description: bilingual("The seconds after which a retry may succeed.", "多少秒后重试可能成功。"),
        },
      },
    },
    content: problemContent,
  },
} as const;

/** Whether a machine key may call a route. */
const takesKeys = (route: Route) => route.auth === "assistant" || scopeOf(route) !== undefined;

/** All error codes that a route can return. */
function errorsOf(route: Route): ErrorCode[] {
  // Unknown parameters are rejected, except by custom handlers that do not read them.
  const validatesInput =
    !route.handler || hasFields(route.request.path) || hasFields(route.request.query) || route.method !== "get";
  return [
    ...new Set<ErrorCode>([
      ...route.errors,
      ...(route.auth === "public" ? [] : (["unauthenticated"] as const)),
      ...(route.auth === "admin" ? (["second_factor_required"] as const) : []),
      ...(takesKeys(route) ? (["invalid_key", "too_many_requests"] as const) : []),
      ...(validatesInput ? (["invalid_argument"] as const) : []),
      ...(route.method === "get" ? [] : BODY_ERRORS),
      ...(route.method === "get" || route.takes ? [] : JSON_ERRORS),
      ...(acceptsKey(route) ? KEY_ERRORS : []),
      ...(acceptsKey(route) && route.auth === "user" ? (["too_many_requests"] as const) : []),
      ...COMMON_ERRORS,
    ]),
  ];
}

/** The OpenAPI 3.1 document of an edge function. */
export function openapiDocument(
  { name, title, description, routes, messages = [] }: AppDefinition,
  version: string,
): object {
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  registry.registerComponent("securitySchemes", BEARER, {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: bilingual(
      "Access token of Supabase Auth, whose algorithm, issuer and times are verified as RFC8725 demands.",
      "Supabase Auth 的访问令牌，其算法、签发者与时间按 RFC8725 的要求验证。",
    ),
  });
  if (routes.some(({ auth }) => auth === "scraper")) {
    registry.registerComponent("securitySchemes", METRICS_TOKEN, {
      type: "http",
      scheme: "bearer",
      description: bilingual("The token of STORE_METRICS_TOKEN.", "STORE_METRICS_TOKEN 的令牌。"),
    });
  }
  if (routes.some(takesKeys)) {
    registry.registerComponent("securitySchemes", MACHINE_KEY, {
      type: "http",
      scheme: "bearer",
      description: bilingual(
        "A machine key, which an owner makes on the page Machine keys of the console. Each operation that one may call names the scope that it needs.",
        "机器密钥，由所有者在管理后台的“机器密钥”页面新建。可用机器密钥调用的接口均注明所需的权限。",
      ),
    });
  }
  registry.register("Problem", ProblemSchema);
  for (const [response, declaration] of Object.entries(PROBLEM_RESPONSES))
    registry.registerComponent("responses", response, declaration);
  for (const route of routes) registry.registerPath(describe(route));
  for (const message of messages) registry.registerWebhook(describeMessage(message));
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title, version, description },
    servers: [
      {
        url: "/functions/v1",
        description: bilingual("The functions of a project, local or in production.", "项目的函数，本地或生产环境。"),
        "x-internal": name === "adminapi" || name === "worker",
      },
    ],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((tag) => ({ name: tag, description: TAGS[tag] })),
  });
  const components = (document.components?.schemas ?? {}) as Record<string, Schema>;
  const shared: Shared = { parameters: {}, headers: {} };
  for (const operations of Object.values({ ...document.paths, ...document.webhooks })) {
    for (const operation of Object.values(operations as Record<string, Operation>)) {
      const { parameters = [], requestBody, responses } = operation;
      for (const parameter of parameters) parameter.example = exampleOf(parameter.schema, parameter.name, components);
      const succeeding = Object.entries(responses).filter(([status]) => status.startsWith("2"));
      for (const { content } of [
        ...(requestBody ? [requestBody] : []),
        ...succeeding.map(([, response]) => response),
      ]) {
        const json = content?.["application/json"];
        if (json) json.example = exampleOf(json.schema, "", components);
      }
      shareHeaders(operation, shared);
    }
  }
  return { ...document, components: { ...document.components, ...shared } };
}

/** The headers of requests and responses by their names, which operations refer to. */
interface Shared {
  parameters: Record<string, object>;
  headers: Record<string, object>;
}

/** Puts the headers of an operation into the components. A header means the same in every operation. */
function shareHeaders(operation: Operation, { parameters, headers }: Shared): void {
  operation.parameters = operation.parameters?.map((parameter) => {
    if (parameter.in !== "header") return parameter;
    parameters[parameter.name] = parameter;
    return { $ref: `#/components/parameters/${parameter.name}` } as unknown as Parameter;
  });
  for (const response of Object.values(operation.responses))
    for (const [name, header] of Object.entries(response.headers ?? {})) {
      headers[name] = header;
      response.headers![name] = { $ref: `#/components/headers/${name}` };
    }
}

interface WithExample {
  schema: Schema;
  example?: unknown;
}

interface Content {
  content?: Record<string, WithExample>;
}

interface Parameter extends WithExample {
  name: string;
  in: string;
}

/** An operation of the document. */
interface Operation {
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content & { headers?: Record<string, object> }>;
}

/**
 * Serves the document at `/<name>/openapi.json`. It is generated on the first request, is the same for all callers and
 * may be cached. A header identifies the sources of the bundle.
 */
export function serveDocument(app: OpenAPIHono, definition: AppDefinition, version: string): void {
  let document: string | undefined;
  app.get(`/${definition.name}/openapi.json`, (c) => {
    document ??= JSON.stringify(openapiDocument(definition, version));
    return respondJson(c, document, 200, { "cache-control": "public, max-age=300", "x-store-source": SOURCE });
  });
}

function describe(route: Route) {
  const { path, query, body } = route.request;
  const scope = scopeOf(route);
  return createRoute({
    method: route.method,
    path: route.path,
    tags: [route.tag],
    summary: route.summary,
    description: scope
      ? [route.description, `Machine keys need the scope \`${scope}\`.`].filter(Boolean).join("\n\n")
      : route.description,
    operationId: operationId(route),
    security: [
      ...(route.auth === "public" ? [{}] : []),
      { [route.auth === "scraper" ? METRICS_TOKEN : BEARER]: [] },
      ...(takesKeys(route) ? [{ [MACHINE_KEY]: scope ? [scope] : [] }] : []),
    ],
    request: {
      ...(hasFields(path) && { params: path }),
      ...(hasFields(query) && { query }),
      ...(acceptsKey(route) && { headers: keyHeader }),
      ...(route.standby && { headers: knownPosition }),
      ...(route.method !== "get" && {
        body: {
          required: !body.safeParse(undefined).success,
          content: { [route.takes ?? "application/json"]: { schema: body } },
        },
      }),
    },
    responses: {
      [route.status]: {
        description: bilingual("Success", "成功"),
        ...(mayChange(route) && { headers: newPosition }),
        ...(route.revalidates && { headers: entityTag }),
        content: { [route.media ?? "application/json"]: { schema: route.response } },
      },
      ...(route.revalidates && {
        304: {
          description: bilingual(
            "Unchanged: the reader has the response with this ETag.",
            "未变化：调用方持有的即为此 ETag 的响应。",
          ),
        },
      }),
      ...problemResponses(errorsOf(route), route.errorResponse),
    },
  });
}

/** The headers of Standard Webhooks. */
const signedHeaders = z.object({
  "webhook-id": z.string().openapi({
    description: bilingual("The same for each repetition of a message.", "同一消息重复推送时不变。"),
    example: "1_7305_120",
  }),
  "webhook-timestamp": z.string().openapi({
    description: bilingual("When this attempt was signed, in seconds.", "此次推送的签名时间（秒）。"),
    example: "1790812800",
  }),
  "webhook-signature": z.string().openapi({
    description: bilingual(
      "v1, and the HMAC-SHA256 in base64 of id, timestamp and body, joined by dots; one for each valid secret, separated by spaces.",
      "v1，以及对以点号连接的 id、timestamp 与请求体所作的 HMAC-SHA256（base64）；每个有效密钥一项，以空格分隔。",
    ),
    example: `v1,${"A".repeat(43)}=`,
  }),
});

function describeMessage({ name, summary, description, body }: Message) {
  return {
    method: "post" as const,
    path: name,
    tags: ["Webhooks"],
    summary,
    description,
    operationId: name.replace(".", "_"),
    // The signature says who sends it.
    security: [],
    request: { headers: signedHeaders, body: { required: true, content: { "application/json": { schema: body } } } },
    responses: {
      "2XX": {
        description: bilingual(
          "Taken. After any other answer, the message is repeated.",
          "已接收。返回其他响应时，消息将重复推送。",
        ),
      },
    },
  };
}

/**
 * Error responses by status. A route with its own error format still returns problems for errors before its handler
 * runs.
 */
function problemResponses(codes: ErrorCode[], errorResponse?: z.ZodType) {
  const statuses = [...new Set(codes.map((code) => errorEntry(code).status))].sort();
  return Object.fromEntries(
    statuses.map((status) => {
      const description = codes.filter((code) => errorEntry(code).status === status).join(", ");
      const response: keyof typeof PROBLEM_RESPONSES = status === 429 ? "TooManyRequests" : "Problem";
      return [
        status,
        errorResponse
          ? {
              description,
              content: { [PROBLEM]: { schema: ProblemSchema }, "application/json": { schema: errorResponse } },
            }
          : { $ref: `#/components/responses/${response}`, description },
      ];
    }),
  );
}

function hasFields(schema: z.ZodObject): boolean {
  return Object.keys(schema.shape).length > 0;
}

/** `PUT /api/order/{id}/receive` becomes `put_order_id_receive`. */
function operationId({ method, path }: Route): string {
  const [, ...segments] = path.split("/").filter(Boolean);
  return [method, ...segments].join("_").replace(/[{}]/g, "");
}
