import { join } from "node:path";
import { declaredTools } from "../../functions/mcp/declaration.ts";
import { projectRoot } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";

/** A generated file. It is committed, and a test compares it with the document and the declaration. */
export const toolsFile = join(projectRoot, "functions/mcp/tools.json");

type Schema = Record<string, unknown>;
interface Operation {
  summary: string;
  description?: string;
  parameters?: { in: string; name: string; required?: boolean; schema: Schema; description?: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}
interface Document {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
}

/** The tools for assistants: what functions/mcp/declaration.ts names, described by the document of the administration API. */
export function toolsOf(document: object): string {
  const { components, paths } = document as Document;
  const tools = declaredTools.map(({ name, title, operation, hint }) => {
    const [method = "", path = ""] = operation.split(" ");
    const found = paths[path]?.[method.toLowerCase()];
    if (!found) throw new Problem(`The tool ${name} reads ${operation}, which no document describes.`, "Correct functions/mcp/declaration.ts.");
    const sentences = [found.summary, found.description, hint].filter((text) => text !== undefined);
    return {
      name,
      title,
      description: sentences.map((text) => text.replace(/\n+Machine keys need/, " Machine keys need").replace(/\.?$/, ".")).join(" "),
      operation,
      inputSchema: resolve(inputOf(found), components.schemas),
    };
  });
  return `${JSON.stringify(tools, null, 2)}\n`;
}

/** The fields of path, query and body in one object. */
function inputOf({ parameters = [], requestBody }: Operation): Schema {
  const given = parameters.filter((parameter) => parameter.in === "path" || parameter.in === "query");
  const body = requestBody?.content["application/json"]?.schema as { properties?: Record<string, Schema>; required?: string[] } | undefined;
  const properties = Object.fromEntries([
    ...given.map(({ name, schema, description }) => [name, description ? { ...schema, description } : schema] as const),
    ...Object.entries(body?.properties ?? {}),
  ]);
  const required = [...given.filter((parameter) => parameter.required).map(({ name }) => name), ...(body?.required ?? [])];
  return { type: "object", properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

/** A schema without references and without keywords of OpenAPI, which an assistant does not know. */
function resolve(schema: unknown, schemas: Record<string, Schema>): unknown {
  if (Array.isArray(schema)) return schema.map((each) => resolve(each, schemas));
  if (typeof schema !== "object" || schema === null) return schema;
  const { $ref, example, ...rest } = schema as Schema;
  if (typeof $ref === "string") return resolve({ ...schemas[$ref.split("/").at(-1)!], ...rest }, schemas);
  return Object.fromEntries(
    Object.entries({ ...rest, ...(example !== undefined && { examples: [example] }) })
      .filter(([name]) => !name.startsWith("x-"))
      .map(([name, value]) => [name, name === "examples" ? value : resolve(value, schemas)]),
  );
}
