import { createHmac, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { StackPlace } from "./paths.ts";
import { Problem } from "./problem.ts";

/** An account that the demo data creates. */
export interface DemoUser {
  email: string;
  password: string;
  uid: number;
  role: string;
}

/** What one stack has to remember between two runs. */
export interface State {
  /** All database passwords are derived from it. */
  seed: string;
  jwt_secret: string;
  publishable_key: string;
  secret_key: string;
  /** Where the data of the private cluster is; empty when the database is that of DATABASE_URL. */
  data_directory: string;
  /** Set when the very first set-up has come to its end, demo data included. Before that nothing is worth keeping. */
  ready: boolean;
  users: DemoUser[];
}

/** Fresh secrets for a stack that has never run. */
export function newState(seed = randomBytes(24).toString("base64url")): State {
  return {
    seed,
    jwt_secret: randomBytes(32).toString("base64url"),
    publishable_key: `sb_publishable_${randomBytes(18).toString("base64url")}`,
    secret_key: `sb_secret_${randomBytes(18).toString("base64url")}`,
    data_directory: "",
    ready: false,
    users: [],
  };
}

/** The password of a database role; the same on every run of one stack. */
export function passwordOf(state: State, role: string): string {
  return createHmac("sha256", state.seed).update(role).digest("base64url").slice(0, 32);
}

/** @returns undefined when this stack has never run. @throws Problem when the file is damaged. */
export function readState(place: StackPlace): State | undefined {
  let text: string;
  try {
    text = readFileSync(place.stateFile, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return undefined;
    throw new Problem(`${place.stateFile} cannot be read (${code}).`, damaged(place));
  }
  try {
    const state = { ...newState(), ...JSON.parse(text) } as State;
    if (!(JSON.parse(text) as Partial<State>).seed || typeof state.seed !== "string") throw new Error("no seed");
    return state;
  } catch {
    throw new Problem(`${place.stateFile} is damaged.`, damaged(place));
  }
}

/** The advice for anything in `.local/` that cannot be trusted any more. */
export function damaged(place: StackPlace): string {
  return `Start over with \`npm start -- --reset\`; that deletes all local data (${place.directory}).`;
}

export function writeState(place: StackPlace, state: State): void {
  writePrivateFile(place, place.stateFile, state);
}

/** Writes JSON that holds secrets: nobody but this user may read it, and nobody sees it half-written. */
export function writePrivateFile(place: StackPlace, file: string, content: unknown): void {
  try {
    mkdirSync(place.logs, { recursive: true });
  } catch (error) {
    throw new Problem(`The folder ${place.directory} cannot be used (${(error as NodeJS.ErrnoException).code}).`, damaged(place));
  }
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}
