import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";

/** The methods that `wx.request` has. PATCH is not among them. */
const METHODS = ["OPTIONS", "GET", "HEAD", "POST", "PUT", "DELETE", "TRACE", "CONNECT"];

interface RequestOptions {
  url: string;
  method?: string;
  header?: Record<string, string>;
  data?: unknown;
  dataType?: string;
  success?: (response: { statusCode: number; data: unknown; header: Record<string, string>; errMsg: string }) => void;
  fail?: (failure: { errMsg: string; errno: number }) => void;
}

/** A fake of the APIs of mini programs. It sends real requests. */
export class FakeWx {
  /** The code that `wx.login` returns. */
  login: () => string = () => "no-code";
  /** What the payer does. @returns whether the payment was made */
  requestPayment: (options: Record<string, unknown>) => Promise<boolean> = () => Promise.resolve(false);
  readonly requests: RequestOptions[] = [];
  private app: Record<string, unknown> = {};
  private page: Record<string, unknown> = {};

  /** The global `wx`. */
  readonly wx = {
    request: (options: RequestOptions): void => void this.send(options),
    login: ({ success }: { success: (result: { code: string; errMsg: string }) => void }) =>
      success({ code: this.login(), errMsg: "login:ok" }),
    requestPayment: ({ success, fail, ...options }: Record<string, unknown>) => {
      void this.requestPayment(options).then((paid) =>
        paid
          ? (success as (result: object) => void)({ errMsg: "requestPayment:ok" })
          : (fail as (result: object) => void)({ errMsg: "requestPayment:fail cancel" }),
      );
    },
    stopPullDownRefresh: () => undefined,
  };

  /** Runs CommonJS code that sees the language, `wx`, and `more`. @returns its exports */
  run(code: string, more: object = {}): Record<string, never> {
    const context = createContext({ wx: this.wx, module: { exports: {} }, ...more });
    runInContext("var exports = module.exports", context);
    runInContext(code, context);
    return runInContext("module.exports", context) as Record<string, never>;
  }

  /** Opens a page of a project as WeChat does. @returns the page, on which `setData` works */
  open(folder: string, page: string, query: Record<string, string>): Record<string, any> {
    const load = (path: string, more: object) => this.run(readFileSync(join(folder, path), "utf8"), more);
    load("app.js", { require: (path: string) => load(path, {}), App: (app: Record<string, unknown>) => (this.app = app) });
    (this.app.onLaunch as (options: object) => void)({ query });
    load(`${page}.js`, { getApp: () => this.app, Page: (definition: Record<string, unknown>) => (this.page = definition) });
    return Object.assign(this.page, { setData: (data: object) => Object.assign(this.page.data as object, data) });
  }

  private async send(options: RequestOptions): Promise<void> {
    const { url, method = "GET", header = {}, data, success, fail } = options;
    this.requests.push(options);
    if (!METHODS.includes(method) || !/^https?:/.test(url)) return fail?.({ errMsg: "request:fail invalid", errno: 600000 });
    try {
      const response = await fetch(url, { method, headers: header, ...(data !== undefined && { body: data as string }) });
      // At any status.
      success?.({
        statusCode: response.status,
        data: await response.text(),
        header: Object.fromEntries(response.headers as unknown as Iterable<[string, string]>),
        errMsg: "request:ok",
      });
    } catch {
      fail?.({ errMsg: "request:fail connect", errno: 600001 });
    }
  }
}
