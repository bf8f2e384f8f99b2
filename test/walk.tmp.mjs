import { chromium } from "playwright-core";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
const info = JSON.parse(readFileSync("/dev/shm/mystore/stack.json", "utf8"));
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const args = process.argv[2] ? process.argv[2].split(",") : [];
const what = new Set((process.argv[3] ?? "").split(","));
const pids = readdirSync;
const procs = () => readdirSync("/proc").filter((x) => /^\d+$/.test(x)).flatMap((x) => { try { const s = readFileSync(`/proc/${x}/stat`, "utf8"); const name = s.slice(s.indexOf("(")+1, s.lastIndexOf(")")); const f = s.slice(s.lastIndexOf(")") + 2).split(" "); return [{ pid: +x, name, ppid: +f[1], cpu: (+f[11] + +f[12]+ +f[13] + +f[14]) / 100, own:(+f[11] + +f[12])/100 , cmd: readFileSync(`/proc/${x}/cmdline`,"utf8")}]; } catch { return []; } });
function tree() { const all = procs(); const set = new Set([process.pid]); for (let grew = true; grew; ) { grew = false; for (const p of all) if (!set.has(p.pid) && set.has(p.ppid)) { set.add(p.pid); grew = true; } } return all.filter((p) => set.has(p.pid) && p.pid !== process.pid); }
const browser = await chromium.launch({ executablePath: process.env.BROWSER ?? "/usr/bin/chromium-headless-shell", args: ["--no-sandbox", "--disable-gpu", ...args] }).catch(async () => chromium.launch({ args: ["--no-sandbox", "--disable-gpu", ...args], executablePath: "/usr/bin/chromium" }));
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: what.has("motion") ? "no-preference" : "reduce", locale: "en-GB" });
const res = await fetch(`${info.supabase_url}/auth/v1/token?grant_type=password`, { method: "POST", headers: { apikey: info.publishable_key, "content-type": "application/json" }, body: JSON.stringify({ email: "admin@example.com", password: "store-demo-2026" }) });
const session = await res.json();
await context.setStorageState({ cookies: [], origins: [{ origin: info.supabase_url, localStorage: [{ name: "store-console-session", value: JSON.stringify(session) }] }] });
const page = await context.newPage();
const routes = ["/overview", "/users", "/orders", "/products", "/payments", "/bill", "/withdrawals", "/activity", "/settings", "/schedule", "/users/10007", "/orders/2405", "/release-log", "/finance", "/shipping"];
const opts = what.has("pre") ? { preload: false } : what.has("sel") ? { preload: false, selectors: false, elementRef: true } : what.has("nocc") ? { rules: { "color-contrast": { enabled: false } } } : {};
if (what.has("trace")) await browser.startTracing(page, { categories: ["devtools.timeline","v8","disabled-by-default-v8.compile","v8.execute","toplevel","disabled-by-default-v8.gc"] });
const t0 = Date.now();
const settle = async () => { await page.waitForFunction(() => document.querySelector("h1") && !document.querySelector("[aria-busy=true], .mantine-Skeleton-root, .mantine-Loader-root")); };
for (const route of routes) {
  if (what.has("hash") && route !== routes[0]) { await page.evaluate((r) => { document.querySelector("h1").dataset.old = "1"; location.hash = r; }, route); await page.waitForFunction(() => !document.querySelector("h1[data-old]")); }
  else { if (!what.has("noblank")) await page.goto("about:blank");
  await page.goto(`${info.console_url}#${route}`); }
  await settle();
  if (what.has("axe")) { await page.evaluate(axeSource); await page.evaluate((o) => window.axe.run({ resultTypes: ["violations"], iframes: false, ...o }), opts); }
  if (what.has("shot")) await page.screenshot({ path: "/dev/shm/mystore/x.png", fullPage: true });
}
if (what.has("trace")) { const buf = await browser.stopTracing(); const ev = JSON.parse(buf.toString()).traceEvents; const self = {}; const byT = {}; for (const e of ev) if (e.ph === "X" && e.dur) (byT[e.pid + ":" + e.tid] ??= []).push(e); const total = {}; for (const l of Object.values(byT)) { l.sort((a, b) => a.ts - b.ts || b.dur - a.dur); const st = []; for (const e of l) { while (st.length && st.at(-1).ts + st.at(-1).dur <= e.ts) st.pop(); if (st.length) self[st.at(-1).name] = (self[st.at(-1).name] ?? 0) - (e.tdur ?? 0); self[e.name] = (self[e.name] ?? 0) + (e.tdur ?? 0); st.push(e); } } console.log(Object.entries(self).sort((a, b) => b[1] - a[1]).slice(0, 30).map(([k, v]) => k + " " + Math.round(v / 1000)).join("\n")); }
const t = tree();
const kinds = {};
for (const p of t) { const m = /--type=([\w-]+)/.exec(p.cmd); const k = m ? m[1] : p.cmd.includes("chrom") ? "browser" : p.name; kinds[k] = (kinds[k] ?? 0) + p.own; }
console.log(process.argv.slice(2).join(" "), "wall", Date.now() - t0, JSON.stringify(kinds));
await browser.close();
