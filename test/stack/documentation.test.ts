import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { stack, supabaseClient } from "../support/index.ts";

it("the documentation page loads all its files from the stack", async () => {
  const { docs_url } = stack();
  const page = await fetch(docs_url);
  expect(page.status).toBe(200);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  const html = await page.text();
  const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => new URL(address!, docs_url));
  expect(loaded.length).toBeGreaterThan(3);
  for (const address of loaded) {
    expect(address.origin).toBe(new URL(docs_url).origin);
    expect((await fetch(address)).status, address.href).toBe(200);
  }
  const settings = await (await fetch(`${docs_url}/settings.js`)).text();
  const documents = [...settings.matchAll(/url: "([^"]+)"/g)].map(([, address]) => new URL(address!, docs_url));
  expect(documents).toHaveLength(2);
  for (const address of documents) expect(await (await fetch(address)).json()).toMatchObject({ openapi: "3.1.0" });
});

it("the documentation page shows a working command to get a token", async () => {
  const { docs_url } = stack();
  const html = await (await fetch(docs_url)).text();
  const command = html
    .match(/<pre id="token-command"[^>]*>(.*?)<\/pre>/s)![1]!
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
  const email = `docs-${process.pid}@example.com`;
  expect((await supabaseClient().auth.signUp({ email, password: "store-demo-2026" })).error).toBeNull();
  const { stdout } = await promisify(execFile)("bash", ["-c", command.replace("chen@example.com", email)]);
  const { access_token } = JSON.parse(stdout) as { access_token: string };
  const response = await fetch(`${stack().functions_url}/api/user`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  expect(response.status).toBe(200);
});
