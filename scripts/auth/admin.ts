import { createHash, randomInt, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hash } from "bcryptjs";
import { Hono } from "hono";
import type postgres from "postgres";
import { openConnection } from "../ground/open_connection.ts";
import type { AuthSettings } from "./app.ts";
import { failure } from "./failure.ts";
import { storedMails, templates } from "./mails.ts";

/**
 * The calls of Supabase Auth with the secret key that the edge functions and the smoke test use and that @supabase/lite
 * does not have. The responses have the fields, statuses and codes of hosted Auth.
 */
export function createAuthAdmin({ databaseUrl, secretKey, siteUrl, mails }: AuthSettings) {
  const sql = openConnection(databaseUrl, { max: 4 });
  const app = new Hono().basePath("/auth/v1");
  app.use((c, next) =>
    c.req.header("apikey") === secretKey
      ? next()
      : Promise.resolve(failure(c, 401, "no_authorization", "This endpoint requires the secret key")),
  );
  app.post("/admin/users", async (c) => {
    const {
      id = randomUUID(),
      email,
      password = "",
      email_confirm = false,
      role = "authenticated",
      user_metadata = {},
    } = await c.req.json<NewUser>();
    if (!email) return failure(c, 400, "validation_failed", "Cannot create a user without an email address");
    return (await createUser(sql, { id, email: email.toLowerCase(), password, email_confirm, role, user_metadata }))
      ? c.json(await userJson(sql, id))
      : failure(c, 422, "email_exists", "A user with this email address has already been registered");
  });
  app.delete("/admin/users/:id", async (c) => {
    const { count } = await sql`delete from auth.users where id::text = ${c.req.param("id")}`;
    return count === 1 ? c.json({}) : failure(c, 404, "user_not_found", "User not found");
  });
  app.post("/admin/generate_link", async (c) => {
    const { type, email } = await c.req.json<{ type: string; email: string }>();
    if (type !== "magiclink")
      return failure(c, 400, "validation_failed", "The local Auth server creates links of type magiclink only");
    const code = String(randomInt(1_000_000)).padStart(6, "0");
    const hash = createHash("sha256")
      .update(email.toLowerCase() + code)
      .digest("hex");
    // An account has one token, so the link before becomes invalid.
    const [user] =
      await sql`update auth.users set recovery_token = ${hash}, recovery_sent_at = now() where email = ${email.toLowerCase()} returning id`;
    if (!user) return failure(c, 404, "user_not_found", "User with this email not found");
    const link = { action_link: "", email_otp: code, hashed_token: hash, redirect_to: "", verification_type: type };
    return c.json({ ...(await userJson(sql, user.id as string)), ...link });
  });
  app.post("/invite", async (c) => {
    const email = (await c.req.json<{ email: string }>()).email.toLowerCase();
    await createUser(sql, {
      id: randomUUID(),
      email,
      password: "",
      email_confirm: false,
      role: "authenticated",
      user_metadata: {},
    });
    const token = createHash("sha256").update(randomUUID()).digest("hex");
    const [user] = await sql`
      update auth.users set confirmation_token = ${token}, confirmation_sent_at = now(), invited_at = now()
      where email = ${email} and email_confirmed_at is null returning id`;
    if (!user) return failure(c, 422, "email_exists", "A user with this email address has already been registered");
    const html = readFileSync(templates.invite.content_path, "utf8")
      .replaceAll("{{ .RedirectTo }}", siteUrl)
      .replaceAll("{{ .TokenHash }}", token);
    if (mails !== undefined)
      await storedMails(mails, siteUrl).send({ to: email, subject: templates.invite.subject, html });
    return c.json(await userJson(sql, user.id as string));
  });
  return app;
}

/** Hosted Auth confirms invitations as it confirms sign-ups. @supabase/lite knows only the latter. */
export async function asSignUp(request: Request): Promise<Request> {
  if (request.method !== "POST" || !new URL(request.url).pathname.endsWith("/verify")) return request;
  const text = await request.clone().text();
  return new Request(request, { body: text.replace('"type":"invite"', '"type":"signup"') });
}

interface NewUser {
  id?: string;
  email?: string;
  password?: string;
  email_confirm?: boolean;
  role?: string;
  user_metadata?: Record<string, string>;
}

/** @returns whether the address and the id were free */
async function createUser(
  sql: postgres.Sql,
  { id, email, password, email_confirm, role, user_metadata }: Required<NewUser>,
): Promise<boolean> {
  const passwordHash = password === "" ? null : await hash(password, 10);
  return sql.begin(async (transaction) => {
    const { count } = await transaction`
      insert into auth.users (id, email, role, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
      values (${id}, ${email}, ${role}, ${passwordHash}, ${email_confirm ? new Date() : null}, '{"provider": "email", "providers": ["email"]}', ${transaction.json(user_metadata)})
      on conflict do nothing`;
    if (count === 0) return false;
    const identity = { sub: id, email, email_verified: email_confirm, phone_verified: false };
    await transaction`
      insert into auth.identities (id, provider, provider_id, user_id, identity_data)
      values (${randomUUID()}, 'email', ${id}, ${id}, ${transaction.json(identity)})`;
    return true;
  });
}

async function userJson(sql: postgres.Sql, id: string): Promise<object> {
  const [user] = await sql`
    select id, aud, role, email, email_confirmed_at, raw_app_meta_data as app_metadata, raw_user_meta_data as user_metadata, created_at, updated_at
    from auth.users where id = ${id}`;
  return { ...user, phone: "", identities: [] };
}
