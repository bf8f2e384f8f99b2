/** How long to wait for a response: a cold start, and a database that does not respond. */
export const DEADLINE_MS = 30_000;

/** The response to a request, or why there was none. */
export interface Reply {
  /** 0 if there was no response. */
  status: number;
  /** The code of a problem of the store, if the response is one. */
  code: string | undefined;
  body: Record<string, unknown>;
  text: string;
  /** The sources of the bundle that responded (`functions/_shared/ground/version.ts`). */
  source: string | null;
}

/** Sends a request as a client does. @param sent a body, as JSON */
export async function request(
  url: string,
  headers: Record<string, string> = {},
  method = "GET",
  sent?: object,
): Promise<Reply> {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(sent && { "content-type": "application/json" }) },
      ...(sent && { body: JSON.stringify(sent) }),
      signal: AbortSignal.timeout(DEADLINE_MS),
      redirect: "manual",
    });
    const text = await response.text();
    const body = parse(text);
    const isProblem = (response.headers.get("content-type") ?? "").startsWith("application/problem+json");
    return {
      status: response.status,
      code: isProblem && typeof body.code === "string" ? body.code : undefined,
      body,
      text,
      source: response.headers.get("x-store-source"),
    };
  } catch (cause) {
    return {
      status: 0,
      code: undefined,
      body: {},
      text: String((cause as { cause?: unknown }).cause ?? cause),
      source: null,
    };
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
