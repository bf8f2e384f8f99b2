import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  environmentWithoutDatabase,
  outsideEnvironment,
  partEnvironment,
  prepareForOwnServers,
} from "../../scripts/ground/environment.ts";
import { deno, denoEnvironment } from "../../scripts/stack/functions.ts";

const kept = { ...process.env };
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in kept)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, kept);
});

/** Sets variables as a user may have them, and nothing else of their kind. */
function set(variables: Record<string, string>): void {
  for (const name of Object.keys(process.env)) if (/^PG|_proxy$/i.test(name)) Reflect.deleteProperty(process.env, name);
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

/** What Deno gets of an address with the environment of an edge function. */
async function fetched(address: string): Promise<string> {
  const child = spawn(
    deno,
    [
      "eval",
      "--no-lock",
      "--no-config",
      `console.log(await fetch("${address}").then((r) => r.text(), (e) => "failed: " + e.message))`,
    ],
    {
      env: partEnvironment({ ...outsideEnvironment(/^(STORE|OTEL)_/), ...denoEnvironment, NO_COLOR: "1" }),
    },
  );
  let output = "";
  for await (const chunk of child.stdout) output += String(chunk);
  return output.trim();
}

describe("an edge function of the local stack", () => {
  // denoland/deno#28385, meteor/meteor#5417, cypress-io/cypress#4780: requests to this machine went to the proxy.
  // Guarantee faults/start
  it.each<Record<string, string>>([
    { HTTP_PROXY: "http://127.0.0.1:9" },
    { http_proxy: "http://127.0.0.1:9", https_proxy: "http://127.0.0.1:9" },
    { ALL_PROXY: "http://127.0.0.1:9" },
    { HTTP_PROXY: "http://127.0.0.1:9", NO_PROXY: "intranet.example.com" },
    { HTTP_PROXY: "http://127.0.0.1:9", no_proxy: "" },
  ])("reaches this machine under %j", async (variables) => {
    set(variables);
    prepareForOwnServers();
    const server = createServer((_request, response) => response.end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    expect(await fetched(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).toBe("reached");
    server.close();
  });

  it("reaches other machines through the proxy", async () => {
    const asked: (string | undefined)[] = [];
    const proxy = createServer((request, response) => {
      asked.push(request.url);
      response.end("through the proxy");
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    set({ HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` });
    prepareForOwnServers();
    expect(await fetched("http://api.example.com/pay")).toBe("through the proxy");
    expect(asked).toEqual(["http://api.example.com/pay"]);
    proxy.close();
  });
});

describe("a process of the local stack", () => {
  it("knows where programs and files are, language and time zone, and what the stack sets", () => {
    set({ HOME: "/home/me", LC_ALL: "zh_CN.UTF-8", LANG: "C.UTF-8", TZ: "Asia/Shanghai", TMPDIR: "/tmp" });
    expect(partEnvironment({ SETTINGS: "{}" })).toMatchObject({
      PATH: process.env.PATH,
      HOME: "/home/me",
      LC_ALL: "zh_CN.UTF-8",
      LANG: "C.UTF-8",
      TZ: "Asia/Shanghai",
      SETTINGS: "{}",
    });
  });

  it("knows nothing that is for other programs", () => {
    set({
      HTTP_PROXY: "http://127.0.0.1:9",
      PGHOST: "db.example.com",
      NODE_OPTIONS: "--inspect",
      DATABASE_URL: "postgres://elsewhere",
      AWS_SECRET_ACCESS_KEY: "x",
      STORE_SMTP_URL: "smtp://x",
    });
    const names = Object.keys(partEnvironment());
    expect(names).toContain("PATH");
    expect(names.filter((name) => /PROXY|^PG|NODE|DATABASE|AWS|STORE/.test(name))).toEqual([]);
  });
});

// heroku/heroku-pg#97, brianc/node-postgres#1482: variables for one database reached another.
it("a server of our own is reached without the variables of another database", () => {
  set({
    PGSSLMODE: "verify-full",
    PGOPTIONS: "-c search_path=elsewhere",
    PGTARGETSESSIONATTRS: "standby",
    PGSERVICE: "other",
    PGDATA: "/elsewhere",
  });
  expect(Object.keys(environmentWithoutDatabase()).filter((name) => name.startsWith("PG"))).toEqual([]);
  prepareForOwnServers();
  expect(Object.keys(process.env).filter((name) => name.startsWith("PG"))).toEqual([]);
});
