import { existsSync, readFileSync } from "node:fs";
import { localDirectory, StackPlace } from "./paths.ts";
import type { DemoUser } from "./state.ts";

/** The content of `.local/stack.json`: addresses, keys and accounts of the running stack. */
export interface StackInfo {
  supabase_url: string;
  functions_url: string;
  /** The admin console. */
  console_url: string;
  /** The phone app of the members. */
  h5_url: string;
  /** The documentation page of the APIs. */
  docs_url: string;
  /** For role postgres, the owner of the store, which is not a superuser. */
  database_url: string;
  /** The same for each shard, by its number, if the store has shards. */
  shard_urls?: string[];
  publishable_key: string;
  secret_key: string;
  /** Signs the tokens of the Auth server (HS256). */
  jwt_secret: string;
  users: DemoUser[];
}

/** Reads stack.json: addresses and accounts of a running stack. @returns undefined if the stack is not running */
export function readStackFile({ stackFile } = new StackPlace(localDirectory)): StackInfo | undefined {
  return existsSync(stackFile) ? (JSON.parse(readFileSync(stackFile, "utf8")) as StackInfo) : undefined;
}
