import { describe, expect, it } from "vitest";
import { z } from "zod";
import { adminDefinition } from "../../functions/adminapi/app.ts";
import { apiDefinition } from "../../functions/api/app.ts";
import { complaints, documents, findOperation } from "../../scripts/testing/openapi.ts";

// deno-lint-ignore no-explicit-any
type Schema = any;

const routes = [...apiDefinition.routes, ...adminDefinition.routes];
const names = Object.keys(documents);

/** All schemas of a document with their locations. */
function* schemasIn(value: unknown, path: string): Generator<[string, Schema]> {
  if (typeof value !== "object" || value === null) return;
  yield [path, value];
  for (const [key, part] of Object.entries(value)) yield* schemasIn(part, `${path}/${key}`);
}

/**
 * The locations where only one side allows null. Both sides are JSON Schema: one generated directly from zod, and the
 * published one.
 */
function differencesOfNull(
  own: Schema,
  published: Schema,
  root: { own: Schema; published: Schema },
  path: string,
): string[] {
  const [left, right] = [resolve(own, root.own), resolve(published, root.published)];
  const found = takesNull(left, root.own) === takesNull(right, root.published) ? [] : [path];
  const [leftObject, rightObject] = [withoutNull(left, root.own), withoutNull(right, root.published)];
  if (leftObject.length !== rightObject.length)
    return [...found, `${path} (${leftObject.length} and ${rightObject.length} forms)`];
  return leftObject.reduce((all, form, index) => {
    const other = rightObject[index]!;
    const properties = Object.keys(form.properties ?? {}).flatMap((key) =>
      differencesOfNull(form.properties[key], other.properties?.[key] ?? {}, root, `${path}/${key}`),
    );
    return [
      ...all,
      ...properties,
      ...(form.items ? differencesOfNull(form.items, other.items ?? {}, root, `${path}[]`) : []),
    ];
  }, found);
}

/** Resolves a reference and merges the keywords beside it. */
function resolve(schema: Schema, root: Schema): Schema {
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((branch: Schema) => resolve(branch, root)));
  if (!schema.$ref) return schema;
  return resolve(
    (schema.$ref as string)
      .slice(2)
      .split("/")
      .filter(Boolean)
      .reduce((part, key) => part[key], root),
    root,
  );
}

const formsOf = (schema: Schema, root: Schema): Schema[] =>
  (schema.anyOf ?? schema.oneOf ?? [schema])
    .map((form: Schema) => resolve(form, root))
    .flatMap((form: Schema) => (form.anyOf || form.oneOf ? formsOf(form, root) : [form]));
const takesNull = (schema: Schema, root: Schema) =>
  formsOf(schema, root).some(
    ({ type, enum: values }) => (type === undefined && !values) || [type].flat().includes("null"),
  );
const withoutNull = (schema: Schema, root: Schema) => formsOf(schema, root).filter(({ type }) => type !== "null");

describe("the OpenAPI documents", () => {
  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "allow null in responses of %s exactly where the schemas do",
    (_name, route) => {
      const own = z.toJSONSchema(route.response, { unrepresentable: "any" });
      const {
        operation,
        place: [document],
      } = findOperation(route.method, route.path)!;
      const { schema } = operation.responses[route.status]!.content![route.media ?? "application/json"]!;
      expect(differencesOfNull(own, schema, { own, published: documents[document] }, "")).toEqual([]);
    },
  );

  it.each(names)("of %s have no closed branch in allOf, which no value could satisfy", (name) => {
    const closed = [...schemasIn(documents[name], "#")]
      .filter(([, { allOf }]) => Array.isArray(allOf))
      .filter(([, { allOf }]) => {
        const branches = allOf.map((branch: Schema) => resolve(branch, documents[name])) as Schema[];
        return (
          branches.some(({ additionalProperties }) => additionalProperties === false) &&
          branches.filter(({ properties }) => properties).length > 1
        );
      });
    expect(closed.map(([path]) => path)).toEqual([]);
  });

  it.each(names)("of %s have an example of each parameter, which its schema accepts", (name) => {
    const wrong = Object.entries(documents[name]!.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { parameters = [] }]) =>
        parameters.flatMap((parameter, at) => {
          if (parameter.example === undefined) return [`${method} ${path} ${parameter.name}: none`];
          const published = complaints(
            [name, "paths", path, method, "parameters", String(at), "schema"],
            parameter.example,
          );
          // The schema of the route says more than the published one.
          const { request } = routes.find((route) => route.method === method && route.path === path) ?? {};
          const own =
            request &&
            (request[parameter.in as "path" | "query"] as z.ZodObject | undefined)?.shape[parameter.name]?.safeParse(
              String(parameter.example),
            );
          return [...published, ...(own && !own.success ? [own.error.message] : [])].map(
            (complaint) => `${method} ${path} ${parameter.name}: ${complaint}`,
          );
        }),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it.each(names)("of %s have an example of each body and each success in JSON, which its schema accepts", (name) => {
    const wrong = Object.entries(documents[name]!.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody, responses }]) => {
        const place = [name, "paths", path, method] as const;
        const body = routes.find((route) => route.method === method && route.path === path)?.request.body;
        const examples = [
          { at: "body", json: requestBody?.content?.["application/json"], where: [...place, "requestBody"] as const },
          ...Object.entries(responses)
            .filter(([status]) => status.startsWith("2"))
            .map(([status, { content }]) => ({
              at: status,
              json: content?.["application/json"],
              where: [...place, "responses", status] as const,
            })),
        ];
        return examples.flatMap(({ at, json, where }) => {
          if (!json) return [];
          if (json.example === undefined) return [`${method} ${path} ${at}: none`];
          const published = complaints([...where, "content", "application/json", "schema"], json.example);
          // The schema of the route says more than the published one.
          const own = at === "body" ? body?.safeParse(json.example) : undefined;
          return [...published, ...(own && !own.success ? [own.error.message] : [])].map(
            (complaint) => `${method} ${path} ${at}: ${complaint}`,
          );
        });
      }),
    );
    expect(wrong).toEqual([]);
  });

  it.each(names)("of %s contain only schemas that a strict validator accepts", (name) => {
    for (const [path, operations] of Object.entries(documents[name]!.paths)) {
      for (const [method, { requestBody, responses }] of Object.entries(operations)) {
        for (const type of Object.keys(requestBody?.content ?? {}))
          complaints([name, "paths", path, method, "requestBody", "content", type, "schema"], undefined);
        for (const [status, { content }] of Object.entries(responses)) {
          for (const type of Object.keys(content ?? {}))
            complaints([name, "paths", path, method, "responses", status, "content", type, "schema"], undefined);
        }
      }
    }
  });
});
