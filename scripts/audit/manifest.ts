import { createHash } from "node:crypto";
import { closeSync, constants, createWriteStream, fstatSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { z } from "zod";
import { printable } from "../ground/printable.ts";
import { Problem } from "../ground/problem.ts";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** What a file of a bundle can be called. A name with another folder in it would lead out of the bundle. */
const fileName = z.string().regex(/^([a-z]+\.[a-z]+|functions\/\w+\.sql)$/);

/** 2: with the versions of the rules, and what raised members. */
export const FORMAT = 2;

const manifest = z.strictObject({
  version: z.literal(FORMAT),
  month: z.string().regex(/^2\d{3}-(0[1-9]|1[0-2])$/),
  begins_at: z.string(),
  ends_at: z.string(),
  first_position: z.string(),
  last_position: z.string(),
  functions: z.record(z.string().regex(/^\w+$/), sha256),
  files: z.record(fileName, z.strictObject({ lines: z.int().min(0), sha256 })),
});

/** What a bundle is about, and the hashes of its functions and files. */
export type Manifest = z.infer<typeof manifest>;

export const MANIFEST = "manifest.json";

/** The hashes of the functions among the files, by their names. */
export const functionsOf = (files: Manifest["files"]): Manifest["functions"] =>
  Object.fromEntries(
    Object.entries(files).flatMap(([name, { sha256: hash }]) => {
      const [, called] = /^functions\/(\w+)\.sql$/.exec(name) ?? [];
      return called === undefined ? [] : [[called, hash]];
    }),
  );

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

/**
 * Opens a regular file to read it. A link, a pipe or a device could lead out of the bundle, or give something else each
 * time.
 */
export function openRegular(path: string): number {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new Error("it is no regular file");
}

export const hashOf = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");

/**
 * The manifest of a bundle, and the hash of its bytes: with it, everything that the bundle has is fixed.
 * @throws Problem if it is none, or one of another format
 */
export function readManifest(folder: string): { manifest: Manifest; hash: string } {
  const path = join(folder, MANIFEST);
  let content: unknown;
  let bytes: Buffer;
  try {
    const descriptor = openRegular(path);
    bytes = readFileSync(descriptor);
    closeSync(descriptor);
    content = JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    throw noManifest(path, (error as Error).message);
  }
  const version = z.looseObject({ version: z.int() }).safeParse(content).data?.version;
  if (version !== undefined && version !== FORMAT)
    throw new Problem(
      `${path} has the format ${version}. This checkout reads the format ${FORMAT}.`,
      "Check the bundle with a checkout of the version of the store that has written it.",
    );
  const read = manifest.safeParse(content);
  if (!read.success) throw noManifest(path, z.prettifyError(read.error).replaceAll("\n", " "));
  return { manifest: read.data, hash: hashOf(bytes) };
}

const noManifest = (path: string, reason: string) =>
  new Problem(
    `${path} is not the manifest of a bundle: ${printable(reason)}`,
    "Name a folder that npm run audit:bundle has written.",
  );
