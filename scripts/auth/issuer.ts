import { decodeJwt, SignJWT } from "jose";

/** Adds the claim `iss` to the access token of a response. Hosted Auth sets it, and the edge functions check it; this Auth server does not set it. */
export async function withIssuer(response: Response, issuer: string, jwtSecret: string): Promise<Response> {
  if (!response.headers.get("content-type")?.includes("json")) return response;
  const body = (await response.json()) as { access_token?: string } | null;
  if (body?.access_token) {
    const token = new SignJWT({ ...decodeJwt(body.access_token), iss: issuer }).setProtectedHeader({ alg: "HS256", typ: "JWT" });
    body.access_token = await token.sign(new TextEncoder().encode(jwtSecret));
  }
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  return new Response(JSON.stringify(body), { status: response.status, headers });
}
