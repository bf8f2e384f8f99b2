import { access, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { type Context, Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { sign, verify } from "hono/jwt";

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
const failure = (c: Context, status: string, message: string) =>
  c.json({ statusCode: status, error: message, message }, 400);

/**
 * The part of Supabase Storage that the store uses: public and private buckets, upload with the secret key, signed
 * links, reading and removing. For demo and tests.
 */
export function createLocalStorage({ secretKey, directory }: LocalStorageSettings): Hono {
  const app = new Hono().basePath("/storage/v1");
  const isForOwner = bearerAuth({ token: secretKey });

  /** What the file in the folder of a bucket says: private, or nothing. */
  const kindOf = (bucket: string): Promise<string | undefined> =>
    NAME.test(bucket)
      ? readFile(join(directory, bucket, ".bucket"), "utf8").catch(() => undefined)
      : Promise.resolve(undefined);

  async function respondFile(c: Context, bucket: string, name: string, cacheControl: string): Promise<Response> {
    const path = pathOf(directory, bucket, name);
    const content = path === undefined ? undefined : await readFile(path).catch(() => undefined);
    if (!content) return failure(c, "404", "Object not found");
    return c.body(content, 200, {
      "content-type": MEDIA_TYPES[extname(path!)] ?? "application/octet-stream",
      "cache-control": cacheControl,
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
    });
  }

  app.get("/object/public/:bucket/:name{.+}", async (c) => {
    const { bucket, name } = c.req.param();
    if ((await kindOf(bucket)) !== "") return failure(c, "404", "Bucket not found");
    return respondFile(c, bucket, name, "max-age=31536000");
  });

  app.get("/object/sign/:bucket/:name{.+}", async (c) => {
    const { bucket, name } = c.req.param();
    const link = await verify(c.req.query("token") ?? "", secretKey, "HS256").catch(() => undefined);
    if (link?.url !== `${bucket}/${name}`) return failure(c, "400", "InvalidJWT");
    return respondFile(c, bucket, name, "no-store");
  });

  app.post("/object/sign/:bucket", isForOwner, async (c) => {
    const bucket = c.req.param("bucket");
    const { expiresIn, paths } = await c.req.json<{ expiresIn: number; paths: string[] }>();
    const exp = Math.floor(Date.now() / 1000) + expiresIn;
    const signed = paths.map(async (name) => {
      const path = pathOf(directory, bucket, name);
      const isThere =
        path !== undefined &&
        (await access(path).then(
          () => true,
          () => false,
        ));
      if (!isThere)
        return {
          path: name,
          error: "Either the object does not exist or you do not have access to it",
          signedURL: null,
        };
      const token = await sign({ url: `${bucket}/${name}`, exp }, secretKey, "HS256");
      return { path: name, error: null, signedURL: `/object/sign/${bucket}/${name}?token=${token}` };
    });
    return c.json(await Promise.all(signed));
  });

  app.post("/bucket", isForOwner, async (c) => {
    const { id, public: isPublic } = await c.req.json<{ id: string; public: boolean }>();
    if ((await kindOf(id)) !== undefined) return failure(c, "409", "The resource already exists");
    await mkdir(join(directory, id), { recursive: true });
    await writeFile(join(directory, id, ".bucket"), isPublic ? "" : "private");
    return c.json({ name: id });
  });

  app.post("/object/:bucket/:name{.+}", isForOwner, async (c) => {
    const { bucket, name } = c.req.param();
    if ((await kindOf(bucket)) === undefined) return failure(c, "404", "Bucket not found");
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
