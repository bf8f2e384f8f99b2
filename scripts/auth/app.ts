import { App } from "@supabase/lite";
import { createPostgresConnection } from "@supabase/lite/postgres";
import { storedMails, templates } from "./mails.ts";

export interface AuthSettings {
  /** Database URL of role supabase_auth_admin. */
  databaseUrl: string;
  jwtSecret: string;
  publishableKey: string;
  secretKey: string;
  /** Address of the gateway. Links in mails lead to its pages. */
  siteUrl: string;
  /** Whether a sign-up waits for the confirmation of its address, as in a hosted project. */
  confirmsAddresses?: boolean;
  /** Where mails are stored, which nobody sends. */
  mails?: string;
  /** The hook that sends sign-in codes by text message. Without it, they are stored as the mails are. */
  smsHook?: { uri: string; secret: string };
}

/**
 * The Auth server passes JSON values as serialized text. The driver would serialize the text again by default, and the
 * sign-up metadata would be stored as a JSON string instead of an object.
 */
const serializedJson = (typeOid: number) => ({
  to: typeOid,
  from: [typeOid],
  serialize: (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value)),
  parse: (text: string) => JSON.parse(text) as unknown,
});

/** Creates the GoTrue-compatible Auth server of the local stack. It is for development; hosted Supabase has its own. */
export function createAuthApp(settings: AuthSettings) {
  return new App({
    connection: createPostgresConnection({
      url: settings.databaseUrl,
      postgresOptions: {
        max: 8,
        onnotice: () => undefined,
        types: { json: serializedJson(114), jsonb: serializedJson(3802) },
      },
    }),
    auth: {
      enabled: true,
      jwt_secret: settings.jwtSecret,
      publishable_key: settings.publishableKey,
      secret_key: settings.secretKey,
      site_url: settings.siteUrl,
      email: {
        enable_confirmations: settings.confirmsAddresses ?? false,
        template: { recovery: templates.recovery, confirmation: templates.confirmation },
      },
    },
    ...(settings.mails !== undefined && {
      options: { drivers: { email: storedMails(settings.mails, settings.siteUrl) } },
    }),
    // The Supabase CLI applies the migrations.
    db: { migrations: { enabled: false } },
  });
}
