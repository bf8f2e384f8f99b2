import { App } from "@supabase/lite";
import { createPostgresConnection } from "@supabase/lite/postgres";

export interface AuthSettings {
  /** By role supabase_auth_admin. */
  databaseUrl: string;
  jwtSecret: string;
  publishableKey: string;
  secretKey: string;
  /** Where the gateway is; links in mails point there. */
  siteUrl: string;
}

/**
 * The Auth server hands JSON columns over as text that is ready. The driver's default would encode that text once more,
 * and the sign-up metadata would arrive as a JSON string instead of an object.
 */
const readyJson = (typeOid: number) => ({
  to: typeOid,
  from: [typeOid],
  serialize: (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value)),
  parse: (text: string) => JSON.parse(text) as unknown,
});

/** The GoTrue-compatible Auth server of the local stack. A development part: hosted Supabase brings its own. */
export function createAuthApp(settings: AuthSettings) {
  return new App({
    connection: createPostgresConnection({ url: settings.databaseUrl, postgresOptions: { max: 8, onnotice: () => undefined, types: { json: readyJson(114), jsonb: readyJson(3802) } } }),
    auth: {
      enabled: true,
      jwt_secret: settings.jwtSecret,
      publishable_key: settings.publishableKey,
      secret_key: settings.secretKey,
      site_url: settings.siteUrl,
      email: { enable_confirmations: false },
    },
    // Migrations are the Supabase CLI's business.
    db: { migrations: { enabled: false } },
  });
}
