import { stateOf } from "./database_problem.ts";
import { Problem } from "../responses/problem.ts";
import { SERVED } from "../ground/version.ts";

/** The schema of the database, and whether this function serves it. */
export interface Schema {
  version: string;
  isServed: boolean;
}

/**
 * Compares the schema of the database with the versions that this function serves, without a statement for each
 * request.
 */
export interface SchemaGuard {
  /** The schema, as it was at most some seconds ago. @throws Problem if the database does not answer */
  read(): Promise<Schema>;
  /**
   * Lets a request pass, at once if the database has said before that its schema is served.
   * @throws Problem schema_not_served
   */
  admit(): Promise<void> | undefined;
  /** Whether a call failed because the schema has become one that is not served. */
  explains(error: unknown): Promise<boolean>;
}

/** How long an answer of the database counts. It is asked again beside the requests. */
const REMEMBERED_MS = 30_000;
/** How long a refusal counts, so that requests are served soon after an update. */
const REFUSED_MS = 2_000;

/** The schema of a database that does not say its version: it has no such function. */
const FIRST_VERSION = "0.9.0";
const UNDEFINED_FUNCTION = "42883";
/** A schema, function, table or column that does not exist. */
const MISSING = ["3F000", UNDEFINED_FUNCTION, "42P01", "42703"];

const numbers = (version: string) => version.split(".").map(Number);

/** Whether a version is lower than another. */
function precedes(version: string, other: string): boolean {
  const [one, two] = [numbers(version), numbers(other)];
  const place = two.findIndex((number, index) => number !== one[index]);
  return place >= 0 && one[place]! < two[place]!;
}

export const isServed = (version: string): boolean =>
  !precedes(version, SERVED.from) && precedes(version, SERVED.before);

const sqlstate = (error: unknown) => stateOf(error instanceof Problem ? error.cause : error);

/** @param ask asks the database for the version of its schema */
export function createSchemaGuard(ask: () => Promise<string>): SchemaGuard {
  let known: (Schema & { until: number }) | undefined;
  let asking: Promise<Schema> | undefined;

  async function readNow(): Promise<Schema> {
    const version = await ask().catch((error: unknown) => {
      if (sqlstate(error) === UNDEFINED_FUNCTION) return FIRST_VERSION;
      throw error;
    });
    const served = isServed(version);
    known = { version, isServed: served, until: Date.now() + (served ? REMEMBERED_MS : REFUSED_MS) };
    return known;
  }

  /** One question at a time, whoever asks. */
  function readOnce(): Promise<Schema> {
    asking ??= readNow().finally(() => (asking = undefined));
    return asking;
  }

  /** The answer that counts, or a new one. */
  function read(): Promise<Schema> {
    return known && Date.now() < known.until ? Promise.resolve(known) : readOnce();
  }

  async function requireServed(): Promise<void> {
    const schema = await read();
    if (schema.isServed) return;
    const versions = `The schema has version ${schema.version}. This function serves those from ${SERVED.from} until before ${SERVED.before}.`;
    throw new Problem("schema_not_served", { cause: new Error(versions) });
  }

  return {
    read,
    admit() {
      if (!known?.isServed) return requireServed();
      if (Date.now() >= known.until && asking === undefined) {
        // The request does not wait for the answer. If there is none, what is known counts on.
        known.until = Date.now() + REFUSED_MS;
        readOnce().catch(() => undefined);
      }
      return undefined;
    },
    async explains(error) {
      if (!MISSING.includes(sqlstate(error))) return false;
      try {
        return !(await readOnce()).isServed;
      } catch {
        return false;
      }
    },
  };
}
