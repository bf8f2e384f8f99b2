import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { type Context, Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";

/** The settings of the stand-in. */
export interface LocalStorageSettings {
  /** The secret key of the project, with which the edge functions write. */
  secretKey: string;
  /** Where the files are, in a folder for each bucket. */
  directory: string;
}

const MEDIA_TYPES: Record<string, string> = { ".jpg": "image/jpeg", ".webp": "image/webp" };
const NAME = /^[\w-]+(?:\.\w+)?$/;

/** The path of a file. @returns undefined unless every part of the name is a plain one */
function pathOf(directory: string, bucket: string, name: string): string | undefined {
  return [bucket, ...name.split("/")].every((part) => NAME.test(part)) ? join(directory, bucket, name) : undefined;
}

/** Errors of Supabase Storage have status 400, and say the actual one in the body. */
const failure = (c: Context, status: string, message: string) => c.json({ statusCode: status, error: message, message }, 400);

/** The part of Supabase Storage that the store uses: public buckets, upload with the secret key, reading and removing. For demo and tests. */
export function createLocalStorage({ secretKey, directory }: LocalStorageSettings): Hono {
  const app = new Hono().basePath("/storage/v1");
  const buckets = new Set<string>();
  const isForOwner = bearerAuth({ token: secretKey });

  async function hasBucket(bucket: string): Promise<boolean> {
    return (
      buckets.has(bucket) ||
      (await readFile(join(directory, bucket, ".bucket")).then(
        () => true,
        () => false,
      ))
    );
  }

  app.get("/object/public/:bucket/:name{.+}", async (c) => {
    const path = pathOf(directory, c.req.param("bucket"), c.req.param("name"));
    const content = path === undefined ? undefined : await readFile(path).catch(() => undefined);
    if (!content) return failure(c, "404", "Object not found");
    return c.body(content, 200, {
      "content-type": MEDIA_TYPES[extname(path!)] ?? "application/octet-stream",
      "cache-control": "max-age=31536000",
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
    });
  });

  app.post("/bucket", isForOwner, async (c) => {
    const { id } = await c.req.json<{ id: string }>();
    if (await hasBucket(id)) return failure(c, "409", "The resource already exists");
    await mkdir(join(directory, id), { recursive: true });
    await writeFile(join(directory, id, ".bucket"), "");
    buckets.add(id);
    return c.json({ name: id });
  });

  app.post("/object/:bucket/:name{.+}", isForOwner, async (c) => {
    const { bucket, name } = c.req.param();
    if (!(await hasBucket(bucket))) return failure(c, "404", "Bucket not found");
    const path = pathOf(directory, bucket, name);
    if (path === undefined) return failure(c, "400", "Invalid key");
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.new`, Buffer.from(await c.req.arrayBuffer()));
    await rename(`${path}.new`, path);
    return c.json({ Key: `${bucket}/${name}` });
  });

  app.delete("/object/:bucket", isForOwner, async (c) => {
    const bucket = c.req.param("bucket");
    const { prefixes } = await c.req.json<{ prefixes: string[] }>();
    const paths = prefixes.map((name) => pathOf(directory, bucket, name)).filter((path) => path !== undefined);
    await Promise.all(paths.map((path) => rm(path, { force: true })));
    return c.json(paths.map((name) => ({ name })));
  });

  return app;
}
