// The store, as the pages use it. `npm run mini-program:build` bundles it with the typed client.
import { unwrap } from "../../index.ts";
import { createMiniProgramApi, type WxRequest } from "../../mini_program.ts";

/** The part of `wx` that is used here. miniprogram-api-typings describes all of it, but cannot be used together with the types of browsers. */
declare const wx: {
  request: WxRequest;
  login(options: { success: (result: { code: string }) => void; fail: (failure: { errMsg: string }) => void }): void;
  requestPayment(
    options: Record<"timeStamp" | "nonceStr" | "package" | "signType" | "paySign", string> & {
      success: () => void;
      fail: (failure: { errMsg: string }) => void;
    },
  ): void;
};

interface Session {
  token: string;
  uid: number;
  expiresAt: number;
}

/** Creates the store of the mini program. @param spread the uid of the member whose code or link opened it */
export function openStore(functionsUrl: string, spread?: string) {
  const options = { functionsUrl, request: (...args: Parameters<WxRequest>) => wx.request(...args) };
  const visitor = createMiniProgramApi(options);
  const api = createMiniProgramApi({ ...options, accessToken: async () => (await session()).token });
  let current: Promise<Session> | undefined;

  /** The session. WeChat signs users in without asking them, so an expired session is replaced by a new sign-in. */
  async function session(): Promise<Session> {
    const known = await current?.catch(() => undefined);
    if (known && known.expiresAt > Date.now()) return known;
    return (current = signIn());
  }

  async function signIn(): Promise<Session> {
    const { code } = await new Promise<{ code: string }>((success, fail) =>
      wx.login({ success, fail: ({ errMsg }) => fail(new Error(errMsg)) }),
    );
    const { access_token, uid, expires_in } = await unwrap(visitor.POST("/api/auth/wechat", { body: { code, ...(spread && { spread }) } }));
    return { token: access_token, uid, expiresAt: Date.now() + (expires_in - 60) * 1000 };
  }

  return {
    session,
    /** The products on sale. */
    products: async () => (await unwrap(visitor.GET("/api/product"))).list,
    /**
     * Places an order of one unit.
     * @param key names the wish to buy: with the same key, a repeated call returns the order of the first
     * @param use_points the most points to use; the order says what they paid
     */
    order: (product_id: number, key: string, use_points = 0) =>
      unwrap(
        api.POST("/api/order", {
          params: { header: { "Idempotency-Key": key } },
          body: { items: [{ product_id, quantity: 1 }], use_points },
        }),
      ),
    /** Pays an order in WeChat. @returns whether it is paid, according to the store: what WeChat tells the client is no proof */
    async pay(id: number): Promise<boolean> {
      const params = { path: { id } };
      const { start } = await unwrap(api.POST("/api/order/{id}/pay", { params, body: { provider: "wechat", method: "jsapi" } }));
      if (start.kind !== "jsapi") throw new Error(`Unexpected payment: ${start.kind}.`);
      const { timeStamp, nonceStr, package: prepay, signType, paySign } = start;
      await new Promise<void>((done) =>
        wx.requestPayment({ timeStamp, nonceStr, package: prepay, signType, paySign, success: () => done(), fail: () => done() }),
      );
      const { order_state } = await unwrap(api.GET("/api/order/{id}/payment", { params }));
      return order_state !== "unpaid";
    },
  };
}
