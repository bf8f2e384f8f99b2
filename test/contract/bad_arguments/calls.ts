import { readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { errorEntry, isErrorCode } from "../../../functions/_shared/responses/error_registry.ts";
import { BAD_JSON, BAD_LITERALS, brokenCopies, toJson } from "./bad_values.ts";
import type { Ids, ValidCall } from "./valid_calls.ts";

/** A function as described in pg_proc. */
export interface DatabaseFunction {
  name: string;
  kind: "f" | "p";
  /** Names of the parameters with their types. */
  parameters: Record<string, string>;
}

/** A call, and what is wrong with it. */
interface Call {
  /** The bad parameter; undefined if the list of parameters is bad. */
  parameter?: string;
  description: string;
  args: Record<string, unknown>;
}

/** A sample of the bad calls. The seed selects it. */
export interface Sample {
  /** The share of all calls, from 0 to 1. */
  share: number;
  seed: number;
}

const FIXTURE = readFileSync(join(import.meta.dirname, "fixture.sql"), "utf8");

/**
 * Fills an empty store with the records that the valid calls are about.
 * @returns the functions that can be called, and the ids of the records by name
 */
export async function loadFixture(sql: postgres.Sql): Promise<{ functions: DatabaseFunction[]; ids: Ids }> {
  await sql.unsafe(FIXTURE);
  const named = await sql<{ name: string; id: string }[]>`select name, id from test_kit.ids`;
  return { functions: await databaseFunctions(sql), ids: Object.fromEntries(named.map(({ name, id }) => [name, id])) };
}

/** The functions of schemas `api` and `app`. */
async function databaseFunctions(sql: postgres.Sql): Promise<DatabaseFunction[]> {
  return sql<DatabaseFunction[]>`
    select p.pronamespace::regnamespace || '.' || p.proname as name, p.prokind as kind, (
      select coalesce(jsonb_object_agg(p.proargnames[t.place], format_type(t.type, null)), '{}')
      from unnest(p.proargtypes::oid[]) with ordinality as t (type, place)
    ) as parameters
    from pg_proc as p
    where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace)`;
}

/**
 * Texts and numbers around the bounds of every check constraint: one less and one more than each number in its
 * definition. A function that lacks the check of a constraint lets one of them through to the table.
 */
export async function boundaryValues(sql: postgres.Sql): Promise<unknown[]> {
  const rows = await sql<{ bound: number }[]>`
    select distinct m[1]::integer as bound
    from pg_constraint as c cross join lateral regexp_matches(regexp_replace(pg_get_constraintdef(c.oid), '\\[uU][0-9A-F]+', '', 'g'), '\m([0-9]{1,4})\M', 'g') as m
    where c.contype = 'c' and c.connamespace = 'app'::regnamespace order by 1`;
  const lengths = [...new Set(rows.flatMap(({ bound }) => [bound - 1, bound, bound + 1]))].filter(
    (length) => length > 0,
  );
  return [
    "a@b",
    "a\nb",
    "a\u202Eb",
    "a\u0085b",
    "a\tb",
    ...lengths.flatMap((length) => [
      "x".repeat(length),
      "1".repeat(length),
      `${"a".repeat(Math.max(length - 5, 1))}@b.cn`,
      length,
      -length,
    ]),
  ];
}

/** All bad calls: each parameter with each bad value; for schema `api`, also missing and unknown parameters. */
export function* badCalls(
  target: DatabaseFunction,
  valid: ValidCall,
  ids: Ids,
  boundaries: unknown[] = [],
): Generator<Call> {
  for (const [parameter, type] of Object.entries(target.parameters)) {
    for (const value of badValues(target, type, valid.args[parameter], ids, boundaries)) {
      const text = toJson(value);
      const shown = text.length > 300 ? `${text.slice(0, 60)}… of ${text.length} characters` : text;
      yield { parameter, description: `${parameter} = ${shown}`, args: { ...valid.args, [parameter]: value } };
    }
    if (target.name.startsWith("app.")) continue;
    const { [parameter]: _, ...others } = valid.args;
    yield { parameter, description: `${parameter} is missing`, args: others };
  }
  if (target.name.startsWith("api.")) {
    yield { description: "an unknown parameter", args: { ...valid.args, p_unknown: 1 } };
    yield { description: "a parameter with a strange name", args: { ...valid.args, '"; drop table app.users': 1 } };
  }
}

/**
 * Selects the same share of bad calls for every parameter, at least one, at equal intervals from an offset given by the
 * seed.
 */
export function sampleOf(calls: Iterable<Call>, { share, seed }: Sample): Call[] {
  const step = Math.round(1 / share);
  const groups = new Map<string | undefined, Call[]>();
  for (const call of calls) groups.set(call.parameter, [...(groups.get(call.parameter) ?? []), call]);
  return [...groups.values()].flatMap((group) => {
    const first = seed % Math.min(step, group.length);
    return group.filter((_, index) => index % step === first);
  });
}

function* badValues(
  target: DatabaseFunction,
  type: string,
  valid: unknown,
  ids: Ids,
  boundaries: unknown[],
): Generator {
  if (type === "jsonb") yield* brokenCopies(valid);
  else if (target.name.startsWith("api."))
    yield* [...BAD_JSON, ...(type === "text" || type === "numeric" || type === "integer" ? boundaries : [])];
  else if (type in BAD_LITERALS) yield* BAD_LITERALS[type]!;
  else throw new Error(`bad_values.ts has no values of type ${type}.`);
  // Ids of orders in every state, of other members' orders, and of other types of records.
  if (type === "bigint") yield* Object.values(ids).filter((id) => /^\d{1,18}$/.test(id));
}

/** The claims of the caller of a function in schema `api`. */
function claimsOf({ by }: ValidCall, ids: Ids): { role?: string; sub?: string; session_id?: string; aal?: string } {
  if (by === "visitor") return {};
  const session = ids[`${by}_session`];
  return {
    role: by === "admin" ? "store_admin" : "authenticated",
    sub: ids[`${by}_account`]!,
    ...(session !== undefined && { session_id: session }),
    // Machine keys are made and handed over with a second factor only.
    ...(by === "admin" && { aal: "aal2" }),
  };
}

/**
 * The statement of a read by its entry point, and its parameters.
 * @param claims of another caller than that of the valid call
 */
export function readOf(
  name: string,
  valid: ValidCall,
  args: Record<string, unknown>,
  ids: Ids,
  claims = claimsOf(valid, ids),
): [string, string[]] {
  return [
    `select entry.${name.replace("api.", "")}($1, $2, 'test', $3::text::jsonb) as result`,
    [JSON.stringify(claims), claims.role ?? "anon", toJson(args)],
  ];
}

/** The statement of a call and its parameters. */
export function statementOf(
  target: DatabaseFunction,
  valid: ValidCall,
  args: Record<string, unknown>,
  ids: Ids,
): [string, string[]] {
  const name = target.name.replace(/^\w+\./, "");
  if (target.name.startsWith("api.")) {
    if (valid.by === "service") return ["select app.as_service($1, $2::text::jsonb) as result", [name, toJson(args)]];
    return [
      "select app.as_caller($1::text::jsonb, $2, $3::text::jsonb) as result",
      [JSON.stringify(claimsOf(valid, ids)), name, toJson(args)],
    ];
  }
  const literals = Object.entries(args).map(([parameter, value]) => {
    const type = target.parameters[parameter]!;
    const text =
      value === null ? "null" : `'${(type === "jsonb" ? toJson(value) : String(value)).replaceAll("'", "''")}'`;
    return `${parameter} => ${text}::${type}`;
  });
  return [`${target.kind === "p" ? "call" : "select * from"} ${target.name}(${literals.join()})`, []];
}

/** Describes what is wrong with an error. @returns null for an error of the registry with a 4xx status */
export function complaint(error: unknown): string | null {
  if (!(error instanceof postgres.PostgresError)) throw error;
  const { code, message, detail } = error;
  // The database of the test has no pg_cron.
  if (message === "schedule_unavailable") return null;
  if (isErrorCode(message) && code === `PT${errorEntry(message).status}` && errorEntry(message).status < 500)
    return null;
  return `${code} ${message.slice(0, 200)}${detail ? ` (${detail.slice(0, 100)})` : ""}`;
}
