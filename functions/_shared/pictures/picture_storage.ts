import { z } from "@hono/zod-openapi";
import type { Environment } from "../ground/env.ts";
import { Problem } from "../responses/problem.ts";
import { projectSecretKey } from "../access/project_key.ts";

/**
 * The buckets of Supabase Storage in which the pictures are. Everybody may read the first one, and nobody the second
 * one, whose files are read by signed links. Only the secret key of the project writes.
 */
const BUCKETS = { public: "pictures", private: "private-pictures" } as const;
const DEADLINE_MS = 15_000;
/** How long a link to a private picture is valid: a page shows it at once. */
export const LINK_SECONDS = 300;
const ENDINGS = { "image/jpeg": "jpg", "image/webp": "webp" } as const;

export type MediaType = keyof typeof ENDINGS;
type Visibility = keyof typeof BUCKETS;
type Bytes = Uint8Array<ArrayBuffer>;

/** The store of the files of pictures: Supabase Storage, or the stand-in of the local stack. */
interface PictureStorage {
  /** Stores a file, or replaces it. @throws Problem if it was not stored */
  put(name: string, bytes: Bytes, mediaType: MediaType): Promise<void>;
  /** Removes files. Those that are not there are no error. @throws Problem if it failed */
  remove(names: string[]): Promise<void>;
  /** The public address of a file, for which the storage has to be public. */
  addressOf(name: string): string;
  /**
   * Links by which anybody can read the files for some seconds, in the same order.
   * @throws Problem if one of them is not there
   */
  sign(names: string[], seconds: number): Promise<string[]>;
}

/** The names of the two files of a picture. `thumbnailOf` (`thumbnail.ts`) and `app.pictures_in` know their form. */
export function fileNames(id: string, mediaType: MediaType): { large: string; small: string } {
  return { large: `${id}/large.${ENDINGS[mediaType]}`, small: `${id}/small.${ENDINGS[mediaType]}` };
}

/** The names that files of a picture can have, for one of which it is not known which it has. */
export function possibleNames(id: string): string[] {
  return (Object.keys(ENDINGS) as MediaType[]).flatMap((mediaType) => Object.values(fileNames(id, mediaType)));
}

/** What Storage answers about each file that it is to sign. */
const signedFiles = z.array(z.looseObject({ signedURL: z.string() }));

/**
 * Reaches a bucket of the storage with the secret key of the project. The bucket is created when the first picture is
 * stored.
 */
export function openPictureStorage(env: Environment, visibility: Visibility = "public"): PictureStorage {
  const bucket = BUCKETS[visibility];
  const base = `${env.get("SUPABASE_URL")}/storage/v1`;
  const key = projectSecretKey(env);

  async function send(
    method: string,
    path: string,
    body: Bytes | object,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    if (!key) throw new Problem("picture_not_stored", { cause: new Error("SUPABASE_SECRET_KEYS is not set.") });
    const isFile = body instanceof Uint8Array;
    return await fetch(base + path, {
      method,
      headers: {
        apikey: key,
        authorization: `Bearer ${key}`,
        ...(!isFile && { "content-type": "application/json" }),
        ...headers,
      },
      body: isFile ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(DEADLINE_MS),
    }).catch((cause: unknown) => Promise.reject(new Problem("picture_not_stored", { cause })));
  }

  async function expectSuccess(response: Response): Promise<string> {
    const text = await response.text();
    if (!response.ok)
      throw new Problem("picture_not_stored", {
        cause: new Error(`Storage: ${response.status} ${text.slice(0, 200)}`),
      });
    return text;
  }

  async function put(name: string, bytes: Bytes, mediaType: MediaType, isRepeated = false): Promise<void> {
    const response = await send("POST", `/object/${bucket}/${name}`, bytes, {
      "content-type": mediaType,
      "cache-control": visibility === "public" ? "max-age=31536000" : "no-store",
      "x-upsert": "true",
    });
    if (response.ok || isRepeated || !(await response.clone().text()).includes("Bucket not found"))
      return void (await expectSuccess(response));
    // Of several at once, one creates it, and the others are told that it is there.
    const created = await send("POST", "/bucket", { id: bucket, name: bucket, public: visibility === "public" });
    await created.body?.cancel();
    await response.body?.cancel();
    return put(name, bytes, mediaType, true);
  }

  return {
    put,
    remove: async (names) => void (await expectSuccess(await send("DELETE", `/object/${bucket}`, { prefixes: names }))),
    addressOf: (name) => `${base}/object/public/${bucket}/${name}`,
    async sign(names, seconds) {
      if (names.length === 0) return [];
      try {
        const text = await expectSuccess(
          await send("POST", `/object/sign/${bucket}`, { expiresIn: seconds, paths: names }),
        );
        // For a file that is not there, the link is null.
        return signedFiles
          .length(names.length)
          .parse(JSON.parse(text))
          .map(({ signedURL }) => base + signedURL);
      } catch (cause) {
        throw new Problem("pictures_unavailable", { cause });
      }
    },
  };
}
