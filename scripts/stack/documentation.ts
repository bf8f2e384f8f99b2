import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";

/** Where the gateway serves the page. */
export const documentationPath = "/docs";

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

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Store API</title>
<link rel="icon" href="${documentationPath}/favicon-32x32.png">
<link rel="stylesheet" href="${documentationPath}/swagger-ui.css">
</head>
<body>
<div id="page"></div>
<script src="${documentationPath}/swagger-ui-bundle.js"></script>
<script src="${documentationPath}/swagger-ui-standalone-preset.js"></script>
<script src="${documentationPath}/settings.js"></script>
</body>
</html>
`;

// What the page may load: our own address only, and pictures that its style sheet carries.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

/** A readable page of the OpenAPI documents, from files of a package: it works without internet. */
export function documentation(): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    context.header("content-security-policy", policy);
  });
  app.get("/", (context) => context.html(page));
  app.get("/settings.js", (context) => context.body(settings, 200, { "content-type": "text/javascript; charset=utf-8" }));
  for (const file of ["swagger-ui.css", "swagger-ui-bundle.js", "swagger-ui-standalone-preset.js", "favicon-32x32.png"]) {
    app.get(`/${file}`, serveStatic({ path: join(assets, file) }));
  }
  return app;
}
