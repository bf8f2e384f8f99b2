import { readBytes } from "../read_bytes.ts";

/**
 * WeChat did not do what was asked. The message is safe to log: errors of failed requests contain the access token and are not passed on.
 */
export class WechatFailure extends Error {
  /** @param errcode WeChat's error code, if it sent one */
  constructor(
    message: string,
    readonly errcode?: number,
  ) {
    super(message);
  }
}

const MAX_BYTES = 300 * 1024;

/** Sends a request to WeChat's API, with `body` as JSON. @returns the bytes of the response @throws WechatFailure unless it has a success status */
export async function requestBytes(url: string, signal: AbortSignal, body?: unknown): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const response = await fetch(url, {
      redirect: "error",
      signal,
      ...(body !== undefined && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    const bytes = await readBytes(response, MAX_BYTES);
    if (response.ok) return bytes;
    throw new WechatFailure(`status ${response.status}`);
  } catch (error) {
    if (error instanceof WechatFailure) throw error;
    throw new WechatFailure(signal.aborted ? "timeout" : "connection failed");
  }
}

/** Sends a request whose response is JSON. @returns the object, which may be an error of WeChat (`errcode`) @throws WechatFailure */
export async function requestJson(url: string, signal: AbortSignal, body?: unknown): Promise<WechatResponse> {
  return readResponse(await requestBytes(url, signal, body));
}

/** A JSON object of WeChat. Errors have status 200 and an `errcode` other than 0. */
export type WechatResponse = { errcode?: number } & Record<string, unknown>;

/** Parses a response. @returns an empty object if it is not a JSON object */
export function readResponse(bytes: Uint8Array): WechatResponse {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === "object" && value !== null ? (value as WechatResponse) : {};
  } catch {
    return {};
  }
}

/** The failure that an unexpected response reports. */
export function failureOf(what: string, { errcode }: WechatResponse): WechatFailure {
  return new WechatFailure(`${what}: ${errcode ?? "not understood"}`, typeof errcode === "number" ? errcode : undefined);
}
