import type { Environment } from "./env.ts";
import { Problem } from "./problem.ts";
import { projectSecretKey } from "./project_key.ts";

/** The bucket of Supabase Storage in which the pictures are. Everybody may read it, and only the secret key of the project writes. */
const BUCKET = "pictures";
const DEADLINE_MS = 15_000;
const ENDINGS = { "image/jpeg": "jpg", "image/webp": "webp" } as const;

type MediaType = keyof typeof ENDINGS;
type Bytes = Uint8Array<ArrayBuffer>;

/** The store of the files of pictures: Supabase Storage, or the stand-in of the local stack. */
interface PictureStorage {
  /** Stores a file, or replaces it. @throws Problem if it was not stored */
  put(name: string, bytes: Bytes, mediaType: MediaType): Promise<void>;
  /** Removes files. Those that are not there are no error. @throws Problem if it failed */
  remove(names: string[]): Promise<void>;
  /** The public address of a file. */
  addressOf(name: string): string;
}

/** The names of the two files of a picture. `thumbnailOf` (`thumbnail.ts`) and `app.pictures_in` know their form. */
export function fileNames(id: string, mediaType: MediaType): { large: string; small: string } {
  return { large: `${id}/large.${ENDINGS[mediaType]}`, small: `${id}/small.${ENDINGS[mediaType]}` };
}

/** The names that files of a picture can have, for one of which it is not known which it has. */
export function possibleNames(id: string): string[] {
  return (Object.keys(ENDINGS) as MediaType[]).flatMap((mediaType) => Object.values(fileNames(id, mediaType)));
}

/** Reaches the storage with the secret key of the project. The bucket is created when the first picture is stored. */
export function openPictureStorage(env: Environment): PictureStorage {
  const base = `${env.get("SUPABASE_URL")}/storage/v1`;
  const key = projectSecretKey(env);

  async function send(method: string, path: string, body: Bytes | object, headers: Record<string, string> = {}): Promise<Response> {
    if (!key) throw new Problem("picture_not_stored", { cause: new Error("SUPABASE_SECRET_KEYS is not set.") });
    const isFile = body instanceof Uint8Array;
    return await fetch(base + path, {
      method,
      headers: { apikey: key, authorization: `Bearer ${key}`, ...(!isFile && { "content-type": "application/json" }), ...headers },
      body: isFile ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(DEADLINE_MS),
    }).catch((cause: unknown) => Promise.reject(new Problem("picture_not_stored", { cause })));
  }

  async function expectSuccess(response: Response): Promise<void> {
    const text = await response.text();
    if (!response.ok) throw new Problem("picture_not_stored", { cause: new Error(`Storage: ${response.status} ${text.slice(0, 200)}`) });
  }

  async function put(name: string, bytes: Bytes, mediaType: MediaType, isRepeated = false): Promise<void> {
    const response = await send("POST", `/object/${BUCKET}/${name}`, bytes, {
      "content-type": mediaType,
      "cache-control": "max-age=31536000",
      "x-upsert": "true",
    });
    if (response.ok || isRepeated || !(await response.clone().text()).includes("Bucket not found")) return expectSuccess(response);
    // Of several at once, one creates it, and the others are told that it is there.
    const created = await send("POST", "/bucket", { id: BUCKET, name: BUCKET, public: true });
    await created.body?.cancel();
    await response.body?.cancel();
    return put(name, bytes, mediaType, true);
  }

  return {
    put,
    remove: async (names) => expectSuccess(await send("DELETE", `/object/${BUCKET}`, { prefixes: names })),
    addressOf: (name) => `${base}/object/public/${BUCKET}/${name}`,
  };
}
