import { type Problem, StoreError } from "../client/index.ts";
import { mostPictureBytes, type UploadedPictures } from "../client/pictures.ts";
import { languageTag } from "./language_tag.ts";
import { PictureTooLarge } from "./picture_too_large.ts";

/**
 * Uploads a picture.
 * @param progress is called with the part that was sent, from 0 to 1
 * @throws StoreError if the store refuses it, PictureTooLarge, or an error if the store does not respond
 */
export type UploadPicture = <Kind extends keyof UploadedPictures>(
  kind: Kind,
  file: Blob,
  progress: (part: number) => void,
) => Promise<UploadedPictures[Kind]>;

const MAX_SIDE = 2048;
/** A smaller file is sent as it is, so that it is not compressed twice. */
const SMALL_BYTES = 1_000_000;
const ACCEPTED = ["image/jpeg", "image/png", "image/webp"];
const QUALITY = 0.9;
/** More than the store waits for a file, and than it needs to draw it. */
const TIMEOUT_MS = 120_000;

/**
 * Creates the upload of a site. What the store refuses as it is, such as an animated picture or colours for printing,
 * is converted by the browser, if it can decode it, and sent again: only the store knows what it refuses.
 * @param accessToken that of the session
 */
export function createUpload(functionsUrl: string, accessToken: () => Promise<string | undefined>): UploadPicture {
  const upload: UploadPicture = async (kind, file, progress) => {
    if (file.size > mostPictureBytes) throw new PictureTooLarge();
    const token = await accessToken();
    // `fetch` does not tell how much was sent.
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open("POST", `${functionsUrl}/picture/${kind}`);
      request.setRequestHeader("accept-language", languageTag());
      request.setRequestHeader("content-type", file.type || "application/octet-stream");
      if (token) request.setRequestHeader("authorization", `Bearer ${token}`);
      request.timeout = TIMEOUT_MS;
      request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
      request.onerror = request.ontimeout = () => reject(new Error("The store does not respond."));
      request.onload = () => {
        try {
          const reply: unknown = JSON.parse(request.responseText);
          if (request.status === 201) resolve(reply as UploadedPictures[typeof kind]);
          else reject(new StoreError(reply as Problem));
        } catch (cause) {
          reject(new Error("The response is no JSON.", { cause }));
        }
      };
      request.send(file);
    });
  };
  return async (kind, file, progress) => {
    const prepared = await prepare(file);
    try {
      return await upload(kind, prepared, progress);
    } catch (error) {
      const isRefused = prepared === file && error instanceof StoreError && error.code === "picture_refused";
      const picture = isRefused && (await decode(file));
      if (!picture) throw error;
      return upload(kind, await draw(picture, file), progress);
    }
  };
}

const decode = (file: Blob) => createImageBitmap(file, { imageOrientation: "from-image" }).catch(() => undefined);

/**
 * Makes a picture smaller. A browser that knows more kinds of pictures than the store, such as HEIC, converts them in
 * doing so. What it cannot decode is returned as it is: the store says what is wrong with it.
 */
async function prepare(file: Blob): Promise<Blob> {
  const picture = await decode(file);
  if (!picture) return file;
  const isSmall = file.size <= SMALL_BYTES && Math.max(picture.width, picture.height) <= MAX_SIDE;
  return isSmall && ACCEPTED.includes(file.type) ? file : draw(picture, file);
}

/** Draws a picture anew. What the browser cannot write is returned as it is. */
async function draw(picture: ImageBitmap, file: Blob): Promise<Blob> {
  const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext("2d")!;
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  // A photograph has no transparent parts; other pictures may have. A browser that cannot write WebP writes PNG.
  const isPhotograph = !["image/png", "image/webp", "image/gif"].includes(file.type);
  return (await blobOf(canvas, isPhotograph ? "image/jpeg" : "image/webp")) ?? file;
}

function blobOf(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, QUALITY));
}
