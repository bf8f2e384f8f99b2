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

/** The options that every API of WeChat takes. */
export interface Callbacks {
  success?: (result: never) => void;
  fail?: (failure: never) => void;
}

/** What an API of WeChat reports when it fails. */
export class WxFailure {
  constructor(readonly errMsg: string) {}
}

/** Answers like an API of WeChat: by the callbacks of the options or, without them, by a promise. */
export function answer(options: Callbacks | undefined, result: Promise<object>): Promise<object> | undefined {
  if (!options?.success && !options?.fail) return result;
  void result.then(options.success as (result: object) => void, options.fail as (failure: object) => void);
  return undefined;
}

/** A fake of the APIs of mini programs. It sends real requests. */
export class FakeWx {
  /** The code that `wx.login` returns. */
  login: () => string = () => "no-code";
  /** What the payer does. @returns whether the payment was made */
  requestPayment: (options: Record<string, unknown>) => Promise<boolean> = () => Promise.resolve(false);
  readonly requests: RequestOptions[] = [];

  /** The global `wx`. */
  readonly wx = {
    request: (options: RequestOptions): void => void this.send(options),
    login: (options?: Callbacks) => answer(options, Promise.resolve({ code: this.login(), errMsg: "login:ok" })),
    requestPayment: ({ success, fail, ...options }: Callbacks & Record<string, unknown>) =>
      answer(
        { success, fail },
        this.requestPayment(options).then((paid) => {
          // Apps get this object, not an error.
          // oxlint-disable-next-line typescript/only-throw-error
          if (!paid) throw new WxFailure("requestPayment:fail cancel");
          return { errMsg: "requestPayment:ok" };
        }),
      ),
  };

  /** Runs CommonJS code that sees the language, `wx`, and `more`. @returns its exports */
  run(code: string, more: object = {}): Record<string, never> {
    const context = createContext({ wx: this.wx, module: { exports: {} }, ...more });
    runInContext("var exports = module.exports", context);
    runInContext(code, context);
    return runInContext("module.exports", context) as Record<string, never>;
  }

  /** Sends a request. The callbacks get what arrives. */
  async send(options: RequestOptions): Promise<void> {
    const { url, method = "GET", header = {}, data, success, fail } = options;
    this.requests.push(options);
    if (!METHODS.includes(method) || !/^https?:/.test(url))
      return fail?.({ errMsg: "request:fail invalid", errno: 600000 });
    try {
      const response = await fetch(url, {
        method,
        headers: header,
        ...(data !== undefined && { body: data as string }),
      });
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
