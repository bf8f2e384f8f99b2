import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { projectRoot } from "../ground/paths.ts";
import { inChinese, type TranslatedDocument } from "./documentation/in_chinese.ts";

/** The path under which the gateway serves the page. */
export const documentationPath = "/docs";

const escapeHtml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const assets = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

type Language = "en" | "zh";

/** The names of the documents on the page, and their addresses. */
const documents: Record<Language, Record<string, string>> = {
  en: { "Store API": "/functions/v1/api/openapi.json", "Administration API": "/functions/v1/adminapi/openapi.json" },
  zh: { 商城接口: `${documentationPath}/zh/api.json`, 商城管理接口: `${documentationPath}/zh/adminapi.json` },
};

const settings = (language: Language) => `window.ui = SwaggerUIBundle({
  dom_id: "#page",
  urls: [
${Object.entries(documents[language])
  .map(([name, url]) => `    { name: "${name}", url: "${url}" },`)
  .join("\n")}
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

/** How to get a token, with a link to the page in the other language. */
const introductions: Record<Language, string> = {
  en: `<h1 style="font-size: 1.2rem">How to get a token</h1>
<p><a href="${documentationPath}/zh" lang="zh-CN">中文</a></p>
<p>Most routes need the token of a member. Those of the Administration API need the token of an administrator. Sign in at the Auth server
and enter the <code>access_token</code> of the response under <em>Authorize</em>. It is valid for an hour.</p>
COMMAND
<p>This account is a member of the demo company; <code>admin@example.com</code> is its administrator. All accounts are in
<code>.local/stack.json</code>. In a store without demo data, sign up first: <code>POST /auth/v1/signup</code> with the same headers and body.</p>`,
  zh: `<h1 style="font-size: 1.2rem">如何获取令牌</h1>
<p><a href="${documentationPath}" lang="en">English</a></p>
<p>大多数接口需要会员的令牌，管理接口需要管理员的令牌。请在 Auth 服务登录，将响应中的 <code>access_token</code> 填入 <em>Authorize</em>，一小时内有效。</p>
COMMAND
<p>该账号是演示公司的会员；<code>admin@example.com</code> 是其管理员。全部账号见 <code>.local/stack.json</code>。没有演示数据的商城请先注册：以相同的请求头与请求体调用
<code>POST /auth/v1/signup</code>。</p>`,
};

const page = (language: Language, address: string, publishableKey: string) => `<!doctype html>
<html lang="${language === "zh" ? "zh-CN" : "en"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${Object.keys(documents[language])[0]}</title>
<link rel="icon" href="${documentationPath}/favicon-32x32.png">
<link rel="stylesheet" href="${documentationPath}/swagger-ui.css">
</head>
<body>
<section style="font-family: sans-serif; max-width: 1460px; margin: 0 auto; padding: 20px">
${introductions[language].replace(
  "COMMAND",
  () =>
    `<pre id="token-command" style="overflow-x: auto; padding: 1em; background: #f3f4f6; color: #1f2937">${escapeHtml(tokenCommand(address, publishableKey))}</pre>`,
)}
</section>
<div id="page"></div>
<script src="${documentationPath}/swagger-ui-bundle.js"></script>
<script src="${documentationPath}/swagger-ui-standalone-preset.js"></script>
<script src="${documentationPath}/settings${language === "zh" ? "_zh" : ""}.js"></script>
</body>
</html>
`;

/** The published document of a function in Chinese. */
function chineseDocument(name: "api" | "adminapi"): TranslatedDocument {
  return inChinese(
    JSON.parse(readFileSync(join(projectRoot, "functions", name, "openapi.json"), "utf8")) as TranslatedDocument,
  );
}

// The page may load files from its own origin only, and pictures embedded in its style sheet.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

/**
 * Serves a page for the OpenAPI documents, in English and Chinese. Its files come from a package, so it works offline.
 */
export function documentation(publishableKey: string): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    context.header("content-security-policy", policy);
  });
  const script = { "content-type": "text/javascript; charset=utf-8" };
  app.get("/", (context) => context.html(page("en", new URL(context.req.url).origin, publishableKey)));
  app.get("/zh", (context) => context.html(page("zh", new URL(context.req.url).origin, publishableKey)));
  app.get("/settings.js", (context) => context.body(settings("en"), 200, script));
  app.get("/settings_zh.js", (context) => context.body(settings("zh"), 200, script));
  for (const name of ["api", "adminapi"] as const)
    app.get(`/zh/${name}.json`, (context) => context.json(chineseDocument(name)));
  for (const file of [
    "swagger-ui.css",
    "swagger-ui-bundle.js",
    "swagger-ui-standalone-preset.js",
    "favicon-32x32.png",
  ]) {
    app.get(`/${file}`, serveStatic({ path: join(assets, file) }));
  }
  return app;
}
