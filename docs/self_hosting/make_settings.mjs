// Writes the settings of a store on a server of one's own, with new secrets, from the templates beside this file.
// node docs/self_hosting/make_settings.mjs <domain> [<folder>]
import { createHmac, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [domain = "", folder = "/etc/store"] = process.argv.slice(2);
if (!/^[a-z\d-]+(\.[a-z\d-]+)+$/.test(domain)) {
  console.error("Which domain? Example: node docs/self_hosting/make_settings.mjs shop.example.com");
  process.exit(2);
}
const templates = join(import.meta.dirname, "settings");
const names = readdirSync(templates);
const present = names.filter((name) => existsSync(join(folder, name)));
if (present.length > 0) {
  console.error(
    `${folder} already has ${present.join(", ")}. Nothing was written: the store needs the secrets that it has.`,
  );
  process.exit(1);
}

const secret = () => randomBytes(24).toString("hex");
const base64url = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token by which the functions and the commands prove to Auth that they are the store. It does not expire. */
function secretKey(jwtSecret) {
  const claims = { role: "service_role", iss: `https://${domain}/auth/v1`, iat: Math.floor(Date.now() / 1000) };
  const content = `${base64url({ alg: "HS256", typ: "JWT" })}.${base64url(claims)}`;
  return `${content}.${createHmac("sha256", jwtSecret).update(content).digest("base64url")}`;
}

const jwtSecret = secret();
const values = {
  domain,
  jwt_secret: jwtSecret,
  secret_key: secretKey(jwtSecret),
  // No secret: whoever opens a site can read it.
  publishable_key: `sb_publishable_${randomBytes(16).toString("base64url")}`,
  owner_password: secret(),
  auth_password: secret(),
  store_api_password: secret(),
  worker_secret: secret(),
  metrics_token: secret(),
};
mkdirSync(folder, { recursive: true, mode: 0o700 });
for (const name of names) {
  const text = readFileSync(join(templates, name), "utf8").replace(/\{\{(\w+)\}\}/g, (_, key) => values[key]);
  writeFileSync(join(folder, name), text, { mode: 0o600, flag: "wx" });
}
console.log(`Written to ${folder}, for root alone: ${names.join(", ")}. Keep a copy where you keep passwords.`);
