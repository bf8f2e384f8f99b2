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

const BEARER = "bearer";
const METRICS_TOKEN = "metricsToken";
const MACHINE_KEY = "machineKey";

/** Errors of every route. They include token errors, because an invalid token is rejected even on routes that need none. */
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
      description:
        "A unique key for this write, such as a UUID. A repeated request with the same key gets the same response for a day and " +
        "has no second effect. The key of a failed request can be used again.",
    }),
});

const knownPosition = z.object({
  [STORE_POSITION]: z
    .string()
    .optional()
    .openapi({
      example: "00000001-00000000/016B3748",
      description:
        "The greatest value of this header in earlier responses. The response is then not older than those. Without it, the response " +
        "may be some seconds old, if the store has a standby. An unknown value costs nothing but speed.",
    }),
});

const newPosition = z.object({
  [STORE_POSITION]: z.string().optional().openapi({
    description:
      "If the store has a standby: the position of its log after the request. Send the greatest one, as text, with later requests.",
  }),
});

const entityTag = z.object({ ETag: z.string().openapi({ description: "Send it as If-None-Match: an unchanged response is a 304." }) });

const ProblemSchema = z
  .strictObject({
    type: z.string(),
    title: z.string().openapi({ description: "In English or Chinese, depending on Accept-Language." }),
    status: z.int(),
    detail: z.string().openapi({ description: "What is wrong, or what to do next. In the language of the title." }),
    code: z
      .enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]])
      .openapi({ description: "The stable error code. Base error handling on it." }),
    request_id: z.string(),
    errors: z
      .array(
        z.strictObject({
          in: z.enum(["path", "query", "body", "header"]),
          pointer: z.string().openapi({ description: "JSON Pointer to the field." }),
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
  Problem: { description: "An error. `code` says which.", content: problemContent },
  TooManyRequests: {
    description: "Too many requests, or too many of a kind.",
    headers: { "Retry-After": { required: true, schema: { type: "string", description: "The seconds after which a retry may succeed." } } },
    content: problemContent,
  },
} as const;

/** Whether a machine key may call a route. */
const takesKeys = (route: Route) => route.auth === "assistant" || scopeOf(route) !== undefined;

/** All error codes that a route can return. */
function errorsOf(route: Route): ErrorCode[] {
  // Unknown parameters are rejected, except by custom handlers that do not read them.
  const validatesInput = !route.handler || hasFields(route.request.path) || hasFields(route.request.query) || route.method !== "get";
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
export function openapiDocument({ name, title, description, routes, messages = [] }: AppDefinition, version: string): object {
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  registry.registerComponent("securitySchemes", BEARER, {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "Access token of Supabase Auth, whose algorithm, issuer and times are verified as RFC8725 demands.",
  });
  if (routes.some(({ auth }) => auth === "scraper")) {
    registry.registerComponent("securitySchemes", METRICS_TOKEN, {
      type: "http",
      scheme: "bearer",
      description: "The token of STORE_METRICS_TOKEN.",
    });
  }
  if (routes.some(takesKeys)) {
    registry.registerComponent("securitySchemes", MACHINE_KEY, {
      type: "http",
      scheme: "bearer",
      description:
        "A machine key, which an owner makes on the page Machine keys of the console. Each operation that one may call names the scope that it needs.",
    });
  }
  registry.register("Problem", ProblemSchema);
  for (const [response, declaration] of Object.entries(PROBLEM_RESPONSES)) registry.registerComponent("responses", response, declaration);
  for (const route of routes) registry.registerPath(describe(route));
  for (const message of messages) registry.registerWebhook(describeMessage(message));
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title, version, description },
    servers: [
      {
        url: "/functions/v1",
        description: "The functions of a project, local or in production.",
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
      for (const { content } of [...(requestBody ? [requestBody] : []), ...succeeding.map(([, response]) => response)]) {
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

/** Serves the document at `/<name>/openapi.json`. It is generated on the first request, is the same for all callers and may be cached. A header identifies the sources of the bundle. */
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
    description: scope ? [route.description, `Machine keys need the scope \`${scope}\`.`].filter(Boolean).join("\n\n") : route.description,
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
        body: { required: !body.safeParse(undefined).success, content: { [route.takes ?? "application/json"]: { schema: body } } },
      }),
    },
    responses: {
      [route.status]: {
        description: "Success",
        ...(mayChange(route) && { headers: newPosition }),
        ...(route.revalidates && { headers: entityTag }),
        content: { [route.media ?? "application/json"]: { schema: route.response } },
      },
      ...(route.revalidates && { 304: { description: "Unchanged: the reader has the response with this ETag." } }),
      ...problemResponses(errorsOf(route), route.errorResponse),
    },
  });
}

/** The headers of Standard Webhooks. */
const signedHeaders = z.object({
  "webhook-id": z.string().openapi({ description: "The same for each repetition of a message.", example: "1_7305_120" }),
  "webhook-timestamp": z.string().openapi({ description: "When this attempt was signed, in seconds.", example: "1790812800" }),
  "webhook-signature": z.string().openapi({
    description:
      "v1, and the HMAC-SHA256 in base64 of id, timestamp and body, joined by dots; one for each valid secret, separated by spaces.",
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
    responses: { "2XX": { description: "Taken. After any other answer, the message is repeated." } },
  };
}

/** Error responses by status. A route with its own error format still returns problems for errors before its handler runs. */
function problemResponses(codes: ErrorCode[], errorResponse?: z.ZodType) {
  const statuses = [...new Set(codes.map((code) => errorEntry(code).status))].sort();
  return Object.fromEntries(
    statuses.map((status) => {
      const description = codes.filter((code) => errorEntry(code).status === status).join(", ");
      const response: keyof typeof PROBLEM_RESPONSES = status === 429 ? "TooManyRequests" : "Problem";
      return [
        status,
        errorResponse
          ? { description, content: { [PROBLEM]: { schema: ProblemSchema }, "application/json": { schema: errorResponse } } }
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
