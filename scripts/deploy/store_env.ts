import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { workdir } from "../command_line/supabase_cli.ts";
import { replaceFile } from "./replace_file.ts";

/** The file with the secrets of the functions, which git ignores. */
export const storeEnvFile = () => join(workdir(), "store.env");

const textOfFile = () => (existsSync(storeEnvFile()) ? readFileSync(storeEnvFile(), "utf8") : "");

/** The settings in the file; none if there is no file. */
export const readStoreEnv = () => parseEnv(textOfFile()) as Record<string, string | undefined>;

/** Adds settings to the file, which only its owner can read. */
export function addToStoreEnv(settings: Record<string, string>): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  const former = textOfFile();
  replaceFile(storeEnvFile(), `${former}${former === "" || former.endsWith("\n") ? "" : "\n"}${lines.join("")}`, 0o600);
}

export const newSecret = () => randomBytes(24).toString("hex");

/** What the platform shows of a secret: its SHA-256. */
export const digestOf = (value: string) => createHash("sha256").update(value).digest("hex");
