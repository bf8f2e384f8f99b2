import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { answerJson } from "./answer.ts";
import { ERRORS, type ErrorCode, errorEntry } from "./error_registry.ts";
import { IDEMPOTENCY_KEY, takesKey } from "./idempotency.ts";
import type { AppDefinition, Route } from "./route.ts";

const BEARER = "bearer";

/** Those about the token too, on every route: one that is sent must be good, also where none is needed. */
const COMMON_ERRORS: ErrorCode[] = [
  "invalid_token",
  "token_expired",
  "forbidden",
  "internal_error",
  "auth_unavailable",
  "database_unavailable",
  "database_busy",
  "storage_full",
  "database_timeout",
];
const BODY_ERRORS: ErrorCode[] = ["malformed_json", "body_timeout", "body_too_large", "unsupported_media_type"];

const KEY_ERRORS: ErrorCode[] = ["idempotency_key_in_use", "idempotency_key_reused"];

const keyHeader = z.object({
  [IDEMPOTENCY_KEY]: z.string().min(1).max(255).optional().openapi({
    description: "A name for this one effect, such as a UUID. The same key and request again within a day get the same answer and " +
      "have no second effect; a refused request is not kept.",
  }),
});

const ProblemSchema = z.strictObject({
  type: z.string(),
  title: z.string().openapi({ description: "In English or Chinese, by Accept-Language." }),
  status: z.int(),
  detail: z.string().openapi({ description: "What to do next, or what exactly is wrong; in English or Chinese, as the title." }),
  code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]).openapi({ description: "Stable; act on this one." }),
  request_id: z.string(),
  errors: z.array(z.strictObject({
    in: z.enum(["path", "query", "body", "header"]),
    pointer: z.string().openapi({ description: "JSON Pointer to the field." }),
    detail: z.string(),
  })).optional(),
}).openapi("Problem");

/** Every error code that a route can answer with. */
function errorsOf(route: Route): ErrorCode[] {
  // Parameters that a route does not know are refused; a handler of its own may not look at them.
  const takesInput = !route.handler || hasFields(route.request.path) || hasFields(route.request.query) || route.method !== "get";
  return [...new Set<ErrorCode>([
    ...route.errors,
    ...(route.auth === "public" ? [] : ["unauthenticated"] as const),
    ...(takesInput ? ["invalid_argument"] as const : []),
    ...(route.method === "get" ? [] : BODY_ERRORS),
    ...(takesKey(route) ? KEY_ERRORS : []),
    ...COMMON_ERRORS,
  ])];
}

/** The OpenAPI 3.1 document of an edge function. */
export function openapiDocument({ title, routes }: AppDefinition, version: string): object {
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  registry.registerComponent("securitySchemes", BEARER, {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "Access token of Supabase Auth.",
  });
  for (const route of routes) registry.registerPath(describe(route));
  return app.getOpenAPI31Document({ openapi: "3.1.0", info: { title, version }, servers: [{ url: "/functions/v1" }] });
}

/** Serves the document at `<path>/openapi.json`, made when it is first asked for. It is the same for all and may be cached. */
export function serveDocument(app: OpenAPIHono, definition: AppDefinition, version: string): void {
  let document: string | undefined;
  app.get(`/${definition.name}/openapi.json`, (c) => {
    document ??= JSON.stringify(openapiDocument(definition, version));
    return answerJson(c, document, 200, { "cache-control": "public, max-age=300" });
  });
}

function describe(route: Route) {
  const { path, query, body } = route.request;
  return createRoute({
    method: route.method,
    path: route.path,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    operationId: operationId(route),
    security: route.auth === "public" ? [{}, { [BEARER]: [] }] : [{ [BEARER]: [] }],
    request: {
      ...(hasFields(path) && { params: path }),
      ...(hasFields(query) && { query }),
      ...(takesKey(route) && { headers: keyHeader }),
      ...(route.method !== "get" && {
        body: { required: !body.safeParse(undefined).success, content: { "application/json": { schema: body } } },
      }),
    },
    responses: {
      [route.status]: { description: "Success", content: { [route.media ?? "application/json"]: { schema: route.answer } } },
      ...problemResponses(errorsOf(route), route.refusal),
    },
  });
}

/** Where refusals have a form of their own, what happens before the handler is reached is a problem there too. */
function problemResponses(codes: ErrorCode[], refusal?: z.ZodType) {
  const statuses = [...new Set(codes.map((code) => errorEntry(code).status))].sort();
  return Object.fromEntries(statuses.map((status) => [status, {
    description: codes.filter((code) => errorEntry(code).status === status).join(", "),
    content: {
      "application/problem+json": { schema: ProblemSchema },
      ...(refusal && { "application/json": { schema: refusal } }),
    },
  }]));
}

function hasFields(schema: z.ZodObject): boolean {
  return Object.keys(schema.shape).length > 0;
}

/** `PUT /api/order/{id}/receive` becomes `put_order_id_receive`. */
function operationId({ method, path }: Route): string {
  const [, ...segments] = path.split("/").filter(Boolean);
  return [method, ...segments].join("_").replace(/[{}]/g, "");
}
