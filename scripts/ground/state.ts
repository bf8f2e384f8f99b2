import { createHmac, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { StackPlace } from "./paths.ts";
import { Problem } from "./problem.ts";

/**
 * `installed`: a Postgres of this machine, with pg_cron and pgTAP. `embedded`: the Postgres that npm installs, without
 * them.
 */
export type PostgresKind = "installed" | "embedded";

/** An account of the demo data. */
export interface DemoUser {
  email: string;
  password: string;
  /** Null for an administrator who is no member. */
  uid: number | null;
  role: string;
}

/** The state of a stack that is kept between runs. */
export interface State {
  /** The secret from which all database passwords are derived. */
  seed: string;
  jwt_secret: string;
  publishable_key: string;
  secret_key: string;
  /** The data folder of the private cluster; empty with DATABASE_URL. */
  data_directory: string;
  /** The kind of server that created the data. */
  postgres: PostgresKind;
  /** Whether the first set-up is complete, including demo data. Before that, there are no data to keep. */
  ready: boolean;
  users: DemoUser[];
  /** How many shards the members of the store are on. Undefined for an ordinary store. */
  shards?: number;
}

/** Creates the state of a new stack, with new secrets. */
export function newState(seed = randomBytes(24).toString("base64url")): State {
  return {
    seed,
    jwt_secret: randomBytes(32).toString("base64url"),
    publishable_key: `sb_publishable_${randomBytes(18).toString("base64url")}`,
    secret_key: `sb_secret_${randomBytes(18).toString("base64url")}`,
    data_directory: "",
    postgres: "installed",
    ready: false,
    users: [],
  };
}

/** The password of a database role. It is the same on every run of a stack. */
export function passwordOf(state: State, role: string): string {
  return createHmac("sha256", state.seed).update(role).digest("base64url").slice(0, 32);
}

/** A key of 32 bytes, as hexadecimal digits. It is the same on every run of a stack. */
export const keyOf = (state: State, name: string): string => Buffer.from(passwordOf(state, name)).toString("hex");

/** Reads the state. @returns undefined if the stack has never run. @throws Problem if the file is damaged */
export function readState(place: StackPlace): State | undefined {
  let text: string;
  try {
    text = readFileSync(place.stateFile, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return undefined;
    if (code === "ENOTDIR") throw unusableFolder(place, code);
    throw new Problem(`${place.stateFile} cannot be read (${code}).`, resetAdvice(place));
  }
  try {
    const state = { ...newState(), ...JSON.parse(text) } as State;
    if (!(JSON.parse(text) as Partial<State>).seed || typeof state.seed !== "string") throw new Error("no seed");
    return state;
  } catch {
    throw new Problem(`${place.stateFile} is damaged.`, resetAdvice(place));
  }
}

const unusableFolder = (place: StackPlace, code: string | undefined) =>
  new Problem(`The folder ${place.directory} cannot be used (${code}).`, resetAdvice(place));

/** The advice if data in `.local/` are unusable. */
export function resetAdvice(place: StackPlace): string {
  return `To start over, run \`npm start -- --reset\`. It deletes all local data (${place.directory}).`;
}

export function writeState(place: StackPlace, state: State): void {
  writePrivateFile(place, place.stateFile, state);
}

/** Writes JSON with secrets. Only this user can read the file, and it is replaced atomically. */
export function writePrivateFile(place: StackPlace, file: string, content: unknown): void {
  try {
    mkdirSync(place.logs, { recursive: true });
  } catch (error) {
    throw unusableFolder(place, (error as NodeJS.ErrnoException).code);
  }
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}
