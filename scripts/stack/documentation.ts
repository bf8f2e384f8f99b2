import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";

/** The path under which the gateway serves the page. */
export const documentationPath = "/docs";

const escapeHtml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const assets = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

const settings = `window.ui = SwaggerUIBundle({
  dom_id: "#page",
  urls: [
    { name: "Store API", url: "/functions/v1/api/openapi.json" },
    { name: "Administration API", url: "/functions/v1/adminapi/openapi.json" },
  ],
  deepLinking: true,
  docExpansion: "list",
  filter: true,
  persistAuthorization: true,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: "StandaloneLayout",
});`;

/** A command that signs a demo account in. Its output has the token for *Authorize* on the page. */
function tokenCommand(address: string, publishableKey: string): string {
  return `curl -s "${address}/auth/v1/token?grant_type=password" -H "apikey: ${publishableKey}" -H "content-type: application/json" \\
  -d '{"email": "chen@example.com", "password": "store-demo-2026"}'`;
}

const page = (address: string, publishableKey: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Store API</title>
<link rel="icon" href="${documentationPath}/favicon-32x32.png">
<link rel="stylesheet" href="${documentationPath}/swagger-ui.css">
</head>
<body>
<section style="font-family: sans-serif; max-width: 1460px; margin: 0 auto; padding: 20px">
<h1 style="font-size: 1.2rem">How to get a token</h1>
<p>Most routes need the token of a member. Those of the Administration API need the token of an administrator. Sign in at the Auth server
and enter the <code>access_token</code> of the response under <em>Authorize</em>. It is valid for an hour.</p>
<pre id="token-command" style="overflow-x: auto; padding: 1em; background: #f3f4f6; color: #1f2937">${escapeHtml(tokenCommand(address, publishableKey))}</pre>
<p>This account is a member of the demo company; <code>admin@example.com</code> is its administrator. All accounts are in
<code>.local/stack.json</code>. In a store without demo data, sign up first: <code>POST /auth/v1/signup</code> with the same headers and body.</p>
</section>
<div id="page"></div>
<script src="${documentationPath}/swagger-ui-bundle.js"></script>
<script src="${documentationPath}/swagger-ui-standalone-preset.js"></script>
<script src="${documentationPath}/settings.js"></script>
</body>
</html>
`;

// The page may load files from its own origin only, and pictures embedded in its style sheet.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

/** Serves a page for the OpenAPI documents. Its files come from a package, so it works offline. */
export function documentation(publishableKey: string): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    context.header("content-security-policy", policy);
  });
  app.get("/", (context) => context.html(page(new URL(context.req.url).origin, publishableKey)));
  app.get("/settings.js", (context) => context.body(settings, 200, { "content-type": "text/javascript; charset=utf-8" }));
  for (const file of ["swagger-ui.css", "swagger-ui-bundle.js", "swagger-ui-standalone-preset.js", "favicon-32x32.png"]) {
    app.get(`/${file}`, serveStatic({ path: join(assets, file) }));
  }
  return app;
}
