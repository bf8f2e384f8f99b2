import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { openapiDocument } from "../../functions/_shared/documents/openapi.ts";
import { mcpDefinition } from "../../functions/mcp/app.ts";
import { pictureDefinition } from "../../functions/picture/app.ts";
import { posterDefinition } from "../../functions/poster/app.ts";
import { workerDefinition } from "../../functions/worker/app.ts";
import { projectRoot } from "../ground/paths.ts";

interface MediaTypes {
  content?: Record<string, { schema: object; example?: unknown }>;
}

/** An operation of a document. */
export interface Operation {
  parameters?: { in: "path" | "query" | "header"; name: string; schema: object; example?: unknown }[];
  requestBody?: MediaTypes;
  responses: Record<string, MediaTypes & { description: string }>;
}

/** The part of an OpenAPI document that responses are validated against. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

interface Reference {
  $ref: string;
  description: string;
}

/**
 * A document in which parameters and responses that are references have the content of their targets, responses with a
 * description of their own.
 */
function resolved(text: string): Document {
  const document = JSON.parse(text) as Document & {
    components: Record<"parameters" | "responses", Record<string, object>>;
  };
  const target = (kind: "parameters" | "responses", { $ref }: Reference) =>
    document.components[kind][$ref.split("/").pop()!]!;
  const isReference = (part: object): part is Reference => "$ref" in part;
  for (const operation of Object.values(document.paths).flatMap((operations) => Object.values(operations))) {
    operation.parameters = operation.parameters?.map((parameter) =>
      isReference(parameter) ? (target("parameters", parameter) as typeof parameter) : parameter,
    );
    for (const [status, response] of Object.entries(operation.responses))
      if (isReference(response))
        operation.responses[status] = { ...target("responses", response), description: response.description };
  }
  return document;
}

const read = (name: string) => resolved(readFileSync(`${projectRoot}/functions/${name}/openapi.json`, "utf8"));

/**
 * The published documents. The functions `mcp`, `picture`, `poster` and `worker` serve theirs, but have no file of it.
 */
export const documents: Record<string, Document> = {
  api: read("api"),
  adminapi: read("adminapi"),
  mcp: resolved(JSON.stringify(openapiDocument(mcpDefinition, "0"))),
  picture: resolved(JSON.stringify(openapiDocument(pictureDefinition, "0"))),
  poster: resolved(JSON.stringify(openapiDocument(posterDefinition, "0"))),
  worker: resolved(JSON.stringify(openapiDocument(workerDefinition, "0"))),
};

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
// The bounds of amounts, which are texts.
ajv.addVocabulary(["x-minimum", "x-maximum"]);
addFormats.default(ajv);
ajv.addFormat("binary", true);
// Keywords of OpenAPI that are not part of JSON Schema and do not affect validation.
ajv.addVocabulary(["openapi", "info", "tags", "webhooks", "servers", "paths", "components", "example"]);
for (const [name, document] of Object.entries(documents)) ajv.addSchema(document, name);

/** A location in a document: the name of the document and the path of keys. */
export type Place = [document: string, ...keys: string[]];

/**
 * The address of a schema for ajv. A schema that is only a reference has the address of its target, which is compiled
 * once for all operations.
 */
function addressOf([document, ...keys]: Place): string {
  const { $ref, ...more } = keys.reduce<Record<string, unknown>>(
    (part, key) => (part[key] ?? {}) as Record<string, unknown>,
    documents[document] as unknown as Record<string, unknown>,
  );
  const pointer = keys.map((key) => `/${encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");
  return document + (typeof $ref === "string" && Object.keys(more).length === 0 ? $ref : `#${pointer}`);
}

/** Validates a value against the schema at a location of a document. @returns the errors, if there are any */
export function complaints(place: Place, value: unknown): string[] {
  const validate = ajv.getSchema(addressOf(place));
  if (!validate) throw new Error(`There is no schema at ${place.join("/")}.`);
  if (validate(value)) return [];
  return validate.errors!.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** All documented operations, with a pattern of their paths. */
const operations = Object.entries(documents).flatMap(([name, document]) =>
  Object.entries(document.paths).flatMap(([template, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({
      method,
      template,
      path: new RegExp(`^${template.replaceAll(/{\w+}/g, "[^/]+")}$`),
      operation,
      place: [name, "paths", template, method] as Place,
    })),
  ),
);

/**
 * The documented operations that are not among those with a success, each as `GET /api/user`.
 * @param succeeded one in each line
 */
export function operationsWithoutSuccess(succeeded: string): string[] {
  const known = new Set(succeeded.split("\n"));
  return operations
    .map(({ method, template }) => `${method.toUpperCase()} ${template}`)
    .filter((operation) => !known.has(operation));
}

/** Finds the documented operation of a request. */
export function findOperation(method: string, path: string): { operation: Operation; place: Place } | undefined {
  const [pathname] = path.split("?");
  return operations.find((each) => each.method === method.toLowerCase() && each.path.test(pathname!));
}
