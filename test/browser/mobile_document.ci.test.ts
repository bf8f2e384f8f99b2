import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchTestBrowser } from "./test_browser.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { addProduct, signUp } from "../api/client.ts";
import { FakeWechat } from "../support/wechat/fake_wechat.ts";
import { MINI } from "../support/wechat/apps.ts";
import { FakeWx } from "../support/wechat/fake_wx.ts";
import { type EdgeFunction, serveEdgeFunction, stack } from "../support/index.ts";
import { complaintsOf } from "./browser.ts";

const document = readFileSync(join(projectRoot, "docs/mobile.md"), "utf8");

/** The code blocks of a language in the document, with the addresses of the test stack. */
function snippets(language: string): string[] {
  const blocks = [...document.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , code]) => code!);
  expect(blocks.length).toBeGreaterThan(0);
  return blocks.map((code) =>
    code
      .replaceAll("http://127.0.0.1:54321", stack().supabase_url)
      .replaceAll("<publishable key>", stack().publishable_key),
  );
}

let browser: Browser;
let folder: string;
const wechat = new FakeWechat();
let api: EdgeFunction;

beforeAll(async () => {
  await addProduct("Tea of the guide", "19.90", false);
  folder = await mkdtemp(join(tmpdir(), "store-mobile-"));
  browser = await launchTestBrowser();
  api = await serveEdgeFunction("api", stack().database_url, {
    STORE_WECHAT_API_URL: await wechat.start(),
    STORE_WECHAT_MINI_APPID: MINI.appid,
    STORE_WECHAT_MINI_SECRET: MINI.secret,
  });
});
afterAll(async () => {
  await browser?.close();
  await api?.stop();
  await wechat.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("docs/mobile.md", () => {
  it("has a page that signs up below the referrer of the link, orders and is paid", async () => {
    const [page] = snippets("html");
    writeFileSync(join(folder, "page.html"), page!);
    const referrer = await signUp("Referrer of the guide");
    const context = await browser.newContext({ viewport: { width: 360, height: 640 } });
    const visit = await context.newPage();
    const complaints = complaintsOf(visit);
    await visit.goto(`${pathToFileURL(join(folder, "page.html")).href}?spread=${referrer.uid}`);
    await visit.getByLabel("Email").fill(`${Date.now()}@example.com`);
    await visit.getByLabel("Password").fill("correct-horse");
    await visit.getByRole("button", { name: "Sign up" }).click();
    await visit.getByRole("status").filter({ hasText: /./ }).waitFor();
    expect(await visit.getByRole("status").textContent()).toMatch(/^Welcome, member \d+\.$/);
    await visit.getByRole("button", { name: "Buy Tea of the guide for 19.90" }).click();
    const [payment] = await Promise.all([
      context.waitForEvent("page"),
      visit.getByRole("link", { name: "Pay 19.90" }).click(),
    ]);
    await payment.getByRole("button", { name: "Pay", exact: true }).click();
    await visit.getByText(/^Order \d+ is paid\.$/).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("has a program with supabase-js that places an order and starts its payment", async () => {
    const [program] = snippets("javascript");
    const { code, stdout, output } = await runCommand(process.execPath, ["--input-type=module", "--eval", program!], {
      cwd: projectRoot,
    });
    expect(code, output).toBe(0);
    expect(stdout).toMatch(/^Order \d+ is unpaid\. Open http:\/\/127\.0\.0\.1:\d+\/\S+ to pay it\.$/m);
  });

  it("has a sign-in for mini programs that returns a session", async () => {
    const [code] = snippets("js");
    const wx = new FakeWx();
    const response = await new Promise<{ status: number; data: string }>((resolve) => {
      wx.login = () => wechat.codeOf("openid-of-the-guide");
      wx.run(code!.replace("${STORE}/functions/v1", api.base), {
        signedIn: (status: number, data: string) => resolve({ status, data }),
      });
    });
    expect(response.status, response.data).toBe(200);
    expect(JSON.parse(response.data)).toMatchObject({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      is_new: true,
    });
  });

  it("has a call that opens the confirmation page of WeChat with what the store returns", async () => {
    const [, code] = snippets("js");
    const confirmation = { mch_id: "1900000001", app_id: "wx1", package: "a%2Bpackage+/=" };
    const opened: Record<string, unknown>[] = [];
    const wx = {
      requestMerchantTransfer: ({ success, fail: _, ...page }: { success: () => void; fail: unknown }) => {
        opened.push(page);
        success();
      },
    };
    const shown: number[] = [];
    const open = (content: object) =>
      runInNewContext(`(async () => {${code!}})()`, {
        wx,
        api: () => Promise.resolve(content),
        id: 7,
        showWithdrawal: (id: number) => shown.push(id),
        showFailure: () => undefined,
      }) as Promise<void>;
    await open({ confirmation });
    await open({ confirmation: null });
    expect(opened).toEqual([{ mchId: "1900000001", appId: "wx1", package: "a%2Bpackage+/=" }]);
    expect(shown).toEqual([7]);
  });

  it("has a question for consents that reports the answers of WeChat", async () => {
    const [, , code] = snippets("js");
    const asked: string[][] = [];
    const sent: unknown[] = [];
    const templates = [
      { topic: "orders", template_id: "a" },
      { topic: "orders", template_id: "b" },
      { topic: "orders", template_id: "a" },
      { topic: "team", template_id: "c" },
    ];
    await runInNewContext(`(async () => {${code!}})()`, {
      wx: {
        requestSubscribeMessage: ({ tmplIds, success }: { tmplIds: string[]; success: (result: object) => void }) => {
          asked.push(tmplIds);
          success({ errMsg: "requestSubscribeMessage:ok", a: "accept", b: "reject" });
        },
      },
      api: (method: string, path: string, ...more: unknown[]) => {
        if (method === "POST") sent.push([path, ...more]);
        return Promise.resolve({ templates });
      },
      newKey: () => "key-1",
    });
    expect(JSON.parse(JSON.stringify({ asked, sent }))).toEqual({
      asked: [["a", "b"]],
      sent: [["/notice/consent", { answers: { a: "accept", b: "reject" } }, { "idempotency-key": "key-1" }]],
    });
  });

  it("has the steps of a native app, from signing up to a paid order", async () => {
    writeFileSync(join(folder, "native.sh"), ["set -euo pipefail", ...snippets("bash")].join("\n"));
    const { code, stdout, output } = await runCommand("bash", [join(folder, "native.sh")], { cwd: folder });
    expect(code, output).toBe(0);
    expect(stdout.trim()).toBe("paid");
  });
});
