import { randomBytes } from "node:crypto";
import { Problem } from "../ground/problem.ts";
import { readStackFile } from "../ground/stack_file.ts";

interface Project {
  url: string;
  secretKey: string;
}

/** The project of the variables, or else the running local stack. @throws Problem if the variables are incomplete */
function project(): Project {
  const { SUPABASE_URL: url, SUPABASE_SECRET_KEY: secretKey, DATABASE_URL: database } = process.env;
  if (url && secretKey) {
    if (!/^https?:/.test(url) || !URL.canParse(url))
      throw new Problem("SUPABASE_URL is not the address of a project.", "Example: https://<ref>.supabase.co");
    return { url: url.replace(/\/$/, ""), secretKey };
  }
  const stack = url || secretKey || database ? undefined : readStackFile();
  if (!stack) {
    throw new Problem(
      "There is no account with this address, and none can be created without SUPABASE_URL and SUPABASE_SECRET_KEY.",
      "Set both (Dashboard, Settings, API Keys), or create the account first (Dashboard, Authentication).",
    );
  }
  return { url: stack.supabase_url, secretKey: stack.secret_key };
}

const DEADLINE_MS = 30_000;

/**
 * Creates a confirmed account of an administrator, who is no member, with a random password by the admin API of Auth.
 * @throws Problem if Auth rejects the request
 */
export async function createAccount(email: string): Promise<{ id: string; password: string }> {
  const { url, secretKey } = project();
  const password = randomBytes(15).toString("base64url");
  const response = await fetch(`${url}/auth/v1/admin/users`, {
    method: "POST",
    headers: { apikey: secretKey, authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
    body: JSON.stringify({ email, password, email_confirm: true, role: "store_admin" }),
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).catch((error: unknown) => {
    throw new Problem(
      `The Auth server at ${url} could not be reached: ${String((error as { cause?: unknown }).cause ?? error)}`,
      "Check SUPABASE_URL and the network connection of this machine.",
    );
  });
  const account = (await response.json().catch(() => ({}))) as { id?: string; msg?: string; message?: string };
  if (response.status === 401 || response.status === 403) {
    throw new Problem(
      `${url} rejected the secret key.`,
      "Check SUPABASE_SECRET_KEY: it begins with sb_secret_ and belongs to the project of SUPABASE_URL.",
    );
  }
  if (!response.ok || account.id === undefined) {
    throw new Problem(
      `The Auth server at ${url} created no account: ${account.msg ?? account.message ?? "no reason given"} (status ${response.status})`,
      "Correct the address, or create the account in the Dashboard (Authentication), and run the command again.",
    );
  }
  return { id: account.id, password };
}
