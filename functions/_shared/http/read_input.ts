import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { issueWords } from "./issue_words.ts";
import { isModest } from "./json_shape.ts";
import { preferredLanguage } from "../responses/language.ts";
import { type FieldError, Problem } from "../responses/problem.ts";
import { readBody } from "./read_body.ts";
import type { Input, Route } from "../routes/route.ts";

type Source = FieldError["in"];
type Read = { value: unknown; errors: FieldError[] };
type Wording = { error: typeof inChinese };

const MAX_ERRORS = 20;
/**
 * Chinese messages of the validator itself, where issueWords has none. Messages of our schemas are translated in
 * problem.ts.
 */
const inChinese = z.locales.zhCN().localeError;
const JSON_MEDIA_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/** The parts of a request before their validation. */
export type RawInput = Record<"path" | "query" | "body", unknown>;

/** Reads and validates path, query and body together, so that one response names every invalid field. */
export async function readInput(c: Context, route: Route): Promise<Input<z.ZodType, z.ZodType, z.ZodType>> {
  const query = readQuery(c);
  const body = route.method === "get" ? undefined : await readJson(c);
  return checkInput(c, route, { path: c.req.param(), query: query.value, body }, query.errors);
}

/**
 * Validates the parts of a request.
 * @param errors what is known to be wrong with the query
 * @throws Problem that names every invalid field
 */
export function checkInput(
  c: Context,
  { request }: Route,
  raw: RawInput,
  errors: FieldError[] = [],
): Input<z.ZodType, z.ZodType, z.ZodType> {
  const wording: Wording = {
    // Called only for invalid input. `undefined` selects the English messages of the validator.
    error: (issue) => {
      const language = preferredLanguage(c);
      return issueWords(issue, language) ?? (language === "zh" ? inChinese(issue) : undefined);
    },
  };
  const parts = {
    path: check("path", request.path, raw.path, wording),
    query: check("query", request.query, raw.query, wording),
    body: check("body", request.body, raw.body, wording),
  };
  const all = [...parts.path.errors, ...errors, ...parts.query.errors, ...parts.body.errors];
  if (all.length > 0) throw new Problem("invalid_argument", { errors: all.slice(0, MAX_ERRORS) });
  return { path: parts.path.value, query: parts.query.value, body: parts.body.value };
}

/** Query parameters that client libraries add for the platform. Routes ignore them. */
const PLATFORM_PARAMETERS = ["forceFunctionRegion"];

/**
 * Reads the query. Empty values count as absent, because forms send them. Unknown parameters are rejected, like unknown
 * fields of a body.
 */
function readQuery(c: Context): Read {
  const parameters = Object.entries(c.req.queries())
    .map(([name, values]) => [name, values.filter((value) => value !== "")] as const)
    .filter(([name, values]) => values.length > 0 && !PLATFORM_PARAMETERS.includes(name));
  return {
    value: Object.fromEntries(parameters.map(([name, [value]]) => [name, value])),
    errors: parameters
      .filter(([, values]) => values.length > 1)
      .map(([name]) => ({
        in: "query",
        pointer: `/${escape(name)}`,
        detail: "This parameter may be given only once.",
      })),
  };
}

/** Parses the JSON body. @returns undefined if the body is empty */
async function readJson(c: Context): Promise<unknown> {
  const bytes = await readBody(c);
  if (bytes.byteLength === 0) return undefined;
  if (!JSON_MEDIA_TYPE.test(c.req.header("content-type") ?? "")) throw new Problem("unsupported_media_type");
  if (!isModest(bytes)) {
    const detail = "The body is nested more than 32 deep, or has more than 5000 values.";
    throw new Problem("invalid_argument", { errors: [{ in: "body", pointer: "", detail }] });
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new Problem("malformed_json", { cause: error });
  }
}

function check(source: Source, schema: z.ZodType, input: unknown, wording: Wording): Read {
  const result = schema.safeParse(input, wording);
  if (result.success) return { value: result.data, errors: [] };
  if (input === undefined) {
    return { value: undefined, errors: [{ in: source, pointer: "", detail: "A JSON body is required." }] };
  }
  return { value: undefined, errors: result.error.issues.flatMap((issue) => describe(source, issue)) };
}

function describe(source: Source, issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, MAX_ERRORS).map((key) => ({
      in: source,
      pointer: pointer([...issue.path, key]),
      detail: source === "query" ? "Unknown parameter." : "Unknown field.",
    }));
  }
  return [{ in: source, pointer: pointer(issue.path), detail: issue.message }];
}

function pointer(path: PropertyKey[]): string {
  return path.map((key) => `/${escape(String(key))}`).join("");
}

/** Escapes a reference token of a JSON Pointer (RFC 6901). */
function escape(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
