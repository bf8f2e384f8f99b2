import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { z } from "zod";
import { Problem } from "../ground/problem.ts";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const manifest = z.strictObject({
  version: z.literal(1),
  month: z.string().regex(/^2\d{3}-(0[1-9]|1[0-2])$/),
  begins_at: z.string(),
  ends_at: z.string(),
  first_position: z.string(),
  last_position: z.string(),
  functions: z.record(z.string(), sha256),
  files: z.record(z.string(), z.strictObject({ lines: z.int().min(0), sha256 })),
});

/** What a bundle is about, and the hashes of its functions and files. */
export type Manifest = z.infer<typeof manifest>;

export const MANIFEST = "manifest.json";

/** Writes a file of a bundle. */
export class BundleFile {
  private readonly hash = createHash("sha256");
  private readonly stream;
  lines = 0;

  constructor(folder: string, name: string) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    this.stream = createWriteStream(join(folder, name), { flags: "wx" });
  }

  async write(text: string): Promise<void> {
    this.hash.update(text);
    this.lines += text.split("\n").length - 1;
    if (!this.stream.write(text)) await once(this.stream, "drain");
  }

  async end(): Promise<Manifest["files"][string]> {
    this.stream.end();
    await once(this.stream, "finish");
    return { lines: this.lines, sha256: this.hash.digest("hex") };
  }
}

export function readManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST);
  try {
    return manifest.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    throw new Problem(
      `${path} is not the manifest of a bundle: ${(error as Error).message}`,
      "Name a folder that npm run audit:bundle has written.",
    );
  }
}

export const hashOfText = (text: string) => createHash("sha256").update(text).digest("hex");

async function hashOfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/** How the files of a bundle differ from its manifest, in sentences. */
export async function fileFindings(folder: string, { files }: Manifest): Promise<string[]> {
  const present = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, "/").length))
    .filter((name) => name !== MANIFEST);
  const findings = present.filter((name) => !(name in files)).map((name) => `${name}: it is not in the manifest.`);
  for (const [name, { sha256: expected }] of Object.entries(files)) {
    if (!present.includes(name)) findings.push(`${name}: it is missing.`);
    else if ((await hashOfFile(join(folder, name))) !== expected)
      findings.push(`${name}: it was changed, for it does not have the hash of the manifest.`);
  }
  return findings;
}
