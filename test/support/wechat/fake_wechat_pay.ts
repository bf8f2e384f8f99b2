import {
  createPublicKey,
  createVerify,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
} from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenOnLoopback, stopServer } from "../loopback_server.ts";
import { H5, MINI } from "./apps.ts";
import { API_V3_KEY, decryptPersonal, encryptResource, signatureHeaders } from "./pay_crypto.ts";

/** A payment at the fake WeChat Pay. */
interface Transaction {
  method: string;
  /** The request that started it. A repeated start must be the same. */
  request: Record<string, unknown>;
  trade_state: "NOTPAY" | "SUCCESS" | "REFUND" | "CLOSED";
  transaction_id?: string;
}

interface Refund {
  request: {
    out_trade_no: string;
    out_refund_no: string;
    notify_url?: string;
    amount: { refund: number; total: number };
  };
  refund_id: string;
  status: "PROCESSING" | "SUCCESS" | "CLOSED" | "ABNORMAL";
}

/** A transfer to a member at the fake WeChat Pay. */
interface Transfer {
  /** The request that made it, with the name decrypted. A repeated request must be the same. */
  request: {
    appid: string;
    out_bill_no: string;
    openid: string;
    transfer_amount: number;
    user_name?: string;
    notify_url?: string;
  };
  transfer_bill_no: string;
  state: "ACCEPTED" | "WAIT_USER_CONFIRM" | "TRANSFERING" | "SUCCESS" | "FAIL" | "CANCELING" | "CANCELLED";
  fail_reason?: string;
  package_info: string;
}

/** A signed notification. */
interface Notification {
  body: string;
  headers: Record<string, string>;
}

/**
 * What goes wrong with a request. `before`: it does not arrive. `after`: it takes effect, and the response is lost.
 * `html`, `failing` and `limited`: it has no effect, and the response is an error. The others take effect, and the
 * response is not signed by WeChat Pay now.
 */
export type Trouble = "before" | "after" | "unsigned" | "forged" | "old" | "changed" | "html" | "failing" | "limited";

export const MCHID = "1900000001";
const TRANSFERS = "/v3/fund-app/mch-transfer/transfer-bills";
const MERCHANT_SERIAL = "3775B6A45ACD588826D15E583A95F5DD00000001";
export const PUBLIC_KEY_ID = "PUB_KEY_ID_0100000000000000000000000000000001";
const CERTIFICATE_SERIAL = "5157F09EFDC096DE15EBE81A47057A7232F1B8E1";
const merchantKeys = generateKeyPairSync("rsa", { modulusLength: 2048 });
const publicKeyPem = (key: KeyObject) => key.export({ type: "spki", format: "pem" }).toString();

/**
 * A fake WeChat Pay (API v3) on loopback. It verifies the merchant's signatures with its own code, signs its responses
 * and notifications, and has the rules of the real one for numbers, amounts and states.
 */
export class FakeWechatPay {
  readonly transactions = new Map<string, Transaction>();
  readonly refunds = new Map<string, Refund>();
  readonly transfers = new Map<string, Transfer>();
  /** What members received, in fen, by the numbers of the transfers, once for each time that money was paid. */
  readonly paidOut: { no: string; openid: string; amount: number }[] = [];
  /** Accepts transfers without asking the member at once, as WeChat Pay does under load. */
  acceptsSlowly = false;
  /** The received requests, by method and path without the query. */
  readonly received: { what: string; headers: IncomingMessage["headers"]; body: string }[] = [];
  /** Called with the number of a payment or refund that has been started, before the response is sent. */
  beforeResponse: ((no: string) => Promise<void>) | undefined;
  /** The money that the merchant can refund. */
  balance = 10 ** 12;
  /**
   * Signs with the key of a platform certificate, although the merchant asks for the public key, as during a switch.
   */
  usesCertificate = false;
  /** What goes wrong with the next requests, in order. Undefined if nothing does. */
  next: (Trouble | undefined)[] = [];
  private readonly troubles: { what: RegExp; trouble: Trouble }[] = [];
  private readonly keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  private readonly certificateKeys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  private readonly server = createServer((request, response) => void this.receive(request, response));
  url = "";

  async start(): Promise<string> {
    return (this.url = await listenOnLoopback(this.server));
  }

  stop(): Promise<void> {
    return stopServer(this.server);
  }

  /** The settings of a merchant of this WeChat Pay. */
  settings(): Record<string, string> {
    return {
      STORE_WECHAT_PAY_MCHID: MCHID,
      STORE_WECHAT_PAY_APPIDS: MINI.appid,
      STORE_WECHAT_PAY_API_V3_KEY: API_V3_KEY,
      STORE_WECHAT_PAY_PUBLIC_KEYS: JSON.stringify({
        [CERTIFICATE_SERIAL]: publicKeyPem(this.certificateKeys.publicKey),
        [PUBLIC_KEY_ID]: publicKeyPem(this.keys.publicKey),
      }),
      STORE_WECHAT_PAY_SERIAL: MERCHANT_SERIAL,
      STORE_WECHAT_PAY_PRIVATE_KEY: merchantKeys.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      STORE_WECHAT_PAY_API_URL: this.url,
    };
  }

  /** Has the next matching request go wrong. @param what matches method and path */
  trouble(what: RegExp, trouble: Trouble): void {
    this.troubles.push({ what, trouble });
  }

  /**
   * The payer pays.
   * @returns whether WeChat Pay takes the money: not twice, and not after the close, unless the payment was under way
   */
  pay(outTradeNo: string, { underWay = false } = {}): boolean {
    const found = this.transactions.get(outTradeNo);
    if (!found || !(found.trade_state === "NOTPAY" || (underWay && found.trade_state === "CLOSED"))) return false;
    found.trade_state = "SUCCESS";
    found.transaction_id = `42000${randomBytes(10).toString("hex")}`;
    return true;
  }

  /** The notification of a payment, ready to be sent. */
  paymentNotification(outTradeNo: string, eventId: string = randomUUID()): Notification {
    return this.notification("TRANSACTION.SUCCESS", this.transactionJson(outTradeNo), eventId);
  }

  /** The notification of the state of a refund, ready to be sent. */
  refundNotification(outRefundNo: string): Notification {
    const {
      request: {
        out_trade_no,
        amount: { refund, total },
      },
      refund_id,
      status,
    } = this.refunds.get(outRefundNo)!;
    const { transaction_id } = this.transactions.get(out_trade_no)!;
    // Without an app and a currency.
    const content = {
      mchid: MCHID,
      out_trade_no,
      transaction_id,
      out_refund_no: outRefundNo,
      refund_id,
      refund_status: status,
      amount: { refund, total, payer_refund: refund, payer_total: total },
    };
    return this.notification(`REFUND.${status}`, content, randomUUID());
  }

  /**
   * Sends the notification of a payment to the address that the merchant named.
   * @returns the status of the merchant's response
   */
  notifyPayment(outTradeNo: string, eventId?: string): Promise<number> {
    return send(this.transactions.get(outTradeNo)!.request.notify_url, this.paymentNotification(outTradeNo, eventId));
  }

  /** Decides a refund and sends the notification. @returns the status of the merchant's response */
  decideRefund(outRefundNo: string, status: "SUCCESS" | "CLOSED" | "ABNORMAL"): Promise<number> {
    const refund = this.refunds.get(outRefundNo)!;
    refund.status = status;
    return send(refund.request.notify_url, this.refundNotification(outRefundNo));
  }

  /** The member confirms a transfer. @returns whether WeChat Pay pays it */
  confirmTransfer(no: string): boolean {
    const found = this.transfers.get(no);
    if (found?.state !== "WAIT_USER_CONFIRM") return false;
    found.state = "TRANSFERING";
    return true;
  }

  /**
   * Decides a transfer: pays what was confirmed, or fails. A transfer that nobody confirmed can only fail.
   * @returns whether there was something to decide
   */
  decideTransfer(no: string, failReason?: string): boolean {
    const found = this.transfers.get(no);
    if (!found) return false;
    const {
      request: { openid, transfer_amount: amount },
    } = found;
    if (found.state === "ACCEPTED") found.state = "WAIT_USER_CONFIRM";
    else if (found.state === "CANCELING") found.state = "CANCELLED";
    else if (failReason !== undefined && ["WAIT_USER_CONFIRM", "TRANSFERING"].includes(found.state))
      Object.assign(found, { state: "FAIL", fail_reason: failReason });
    else if (found.state === "TRANSFERING") {
      found.state = "SUCCESS";
      this.paidOut.push({ no, openid, amount });
    } else return false;
    if (found.state === "FAIL" || found.state === "CANCELLED") this.balance += amount;
    return true;
  }

  /** The notification of a transfer that is decided, ready to be sent. */
  transferNotification(no: string): Notification {
    const {
      request: { openid, transfer_amount },
      transfer_bill_no,
      state,
      fail_reason,
    } = this.transfers.get(no)!;
    const content = {
      mchid: MCHID,
      out_bill_no: no,
      transfer_bill_no,
      state,
      transfer_amount,
      openid,
      ...(fail_reason && { fail_reason }),
    };
    return this.notification("MCHTRANSFER.BILL.FINISHED", content, randomUUID());
  }

  /** Sends the notification of a transfer. @returns the status of the merchant's response */
  notifyTransfer(no: string): Promise<number> {
    return send(this.transfers.get(no)!.request.notify_url, this.transferNotification(no));
  }

  private notification(event_type: string, content: object, id: string): Notification {
    const body = JSON.stringify({
      id,
      create_time: new Date().toISOString(),
      resource_type: "encrypt-resource",
      event_type,
      resource: encryptResource(content),
    });
    return {
      body,
      headers: { "content-type": "application/json", ...this.signature(body, this.serialFor(undefined)) },
    };
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const what = `${request.method} ${request.url!.split("?")[0]}`;
    this.received.push({ what, headers: request.headers, body });
    const at = this.troubles.findIndex((each) => each.what.test(what));
    const trouble = this.next.shift() ?? (at < 0 ? undefined : this.troubles.splice(at, 1)[0]!.trouble);
    if (trouble === "before") return void response.socket?.destroy();
    if (trouble === "html")
      return void response.writeHead(200, { "content-type": "text/html" }).end("<html>Bad gateway</html>");
    const [status, content] =
      trouble === "failing"
        ? ([500, { code: "SYSTEM_ERROR", message: "系统异常" }] as const)
        : trouble === "limited"
          ? ([429, { code: "FREQUENCY_LIMITED", message: "频率超限" }] as const)
          : this.isSigned(request, body)
            ? await this.serve(what, body, request.headers["wechatpay-serial"])
            : ([401, { code: "SIGN_ERROR", message: "签名错误" }] as const);
    if (trouble === "after") {
      // Within the response: clients repeat a request whose connection closes before it.
      return void response.writeHead(200, { "content-length": 100 }).write("{", () => response.socket?.destroy());
    }
    const text = content === undefined ? "" : JSON.stringify(content);
    const signature = this.signature(
      text,
      this.serialFor(request.headers["wechatpay-serial"] as string | undefined),
      trouble,
    );
    response
      .writeHead(status, { "content-type": "application/json", ...signature })
      .end(trouble === "changed" ? text.replace(/\d(?=\D*$)/, (digit) => String(9 - Number(digit))) : text);
  }

  /** Whether the merchant signed the request within five minutes. */
  private isSigned({ method, url, headers }: IncomingMessage, body: string): boolean {
    const { authorization = "" } = headers;
    const fields = Object.fromEntries(
      [...authorization.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    const text = [method, url, fields.timestamp, fields.nonce_str, body].map((line) => `${line}\n`).join("");
    return (
      authorization.startsWith("WECHATPAY2-SHA256-RSA2048 ") &&
      fields.mchid === MCHID &&
      fields.serial_no === MERCHANT_SERIAL &&
      Math.abs(Date.now() / 1000 - Number(fields.timestamp)) < 300 &&
      createVerify("RSA-SHA256")
        .update(text)
        .verify(merchantKeys.publicKey, fields.signature ?? "", "base64")
    );
  }

  private serialFor(wanted: string | undefined): string {
    return this.usesCertificate || (wanted !== undefined && wanted !== PUBLIC_KEY_ID)
      ? CERTIFICATE_SERIAL
      : PUBLIC_KEY_ID;
  }

  private signature(body: string, serial: string, trouble?: Trouble): Record<string, string> {
    if (trouble === "unsigned") return {};
    const key = trouble === "forged" ? merchantKeys : serial === PUBLIC_KEY_ID ? this.keys : this.certificateKeys;
    return signatureHeaders(body, { key: key.privateKey, serial, age: trouble === "old" ? 301 : 0 });
  }

  private async serve(
    what: string,
    text: string,
    serial: string | string[] | undefined,
  ): Promise<readonly [number, object | undefined]> {
    const body = (text ? JSON.parse(text) : {}) as Record<string, unknown>;
    const [, no = ""] = /(?:out-trade-no|refunds|out-bill-no)\/([^/]+)/.exec(what) ?? [];
    if (/^POST \/v3\/pay\/transactions\/(jsapi|h5)$/.test(what))
      return this.startPayment(what.split("/").at(-1)!, body);
    if (/^POST .*\/close$/.test(what)) return this.closePayment(no);
    if (/^GET \/v3\/pay\/transactions\/out-trade-no\//.test(what))
      return this.transactions.has(no) ? [200, this.transactionJson(no)] : notFound("ORDER_NOT_EXIST");
    if (what === "POST /v3/refund/domestic/refunds") return this.startRefund(body as unknown as Refund["request"]);
    if (/^GET \/v3\/refund\/domestic\/refunds\//.test(what))
      return this.refunds.has(no) ? [200, this.refundJson(no)] : notFound("RESOURCE_NOT_EXISTS");
    if (what === `POST ${TRANSFERS}`) return this.startTransfer(body as unknown as Transfer["request"], serial);
    if (what === `POST ${TRANSFERS}/out-bill-no/${no}/cancel`) return this.cancelTransfer(no);
    if (what === `GET ${TRANSFERS}/out-bill-no/${no}`)
      return this.transfers.has(no) ? [200, this.transferJson(no)] : notFound("NOT_FOUND");
    return notFound("NOT_FOUND");
  }

  private async startPayment(method: string, request: Record<string, unknown>): Promise<readonly [number, object]> {
    const no = String(request.out_trade_no);
    const { total } = request.amount as { total: number };
    const payer =
      method === "jsapi"
        ? (request.payer as { openid?: string })?.openid
        : (request.scene_info as { payer_client_ip?: string })?.payer_client_ip;
    const isValid =
      [MINI.appid, H5.appid].includes(String(request.appid)) &&
      request.mchid === MCHID &&
      /^[\w|*-]{6,32}$/.test(no) &&
      Number.isInteger(total) &&
      total >= 1 &&
      payer &&
      String(request.description).length <= 127 &&
      !String(request.notify_url).includes("?") &&
      Date.parse(String(request.time_expire)) > Date.now() + 59_000;
    if (!isValid) return [400, { code: "PARAM_ERROR", message: "参数错误" }];
    const found = this.transactions.get(no);
    if (found && (found.method !== method || JSON.stringify(found.request) !== JSON.stringify(request)))
      return [400, { code: "INVALID_REQUEST", message: "请求重入时，参数与首次请求时不一致" }];
    if (found?.trade_state === "CLOSED") return [400, { code: "ORDER_CLOSED", message: "订单已关闭" }];
    if (found && found.trade_state !== "NOTPAY") return [400, { code: "ORDER_PAID", message: "该订单已支付" }];
    this.transactions.set(no, found ?? { method, request, trade_state: "NOTPAY" });
    await this.beforeResponse?.(no);
    return [
      200,
      method === "jsapi"
        ? { prepay_id: `wx${randomBytes(16).toString("hex")}` }
        : { h5_url: `https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx${no}` },
    ];
  }

  private closePayment(no: string): readonly [number, object | undefined] {
    const found = this.transactions.get(no);
    if (found && found.trade_state !== "NOTPAY" && found.trade_state !== "CLOSED")
      return [400, { code: "ORDER_PAID", message: "该订单已支付" }];
    if (found) found.trade_state = "CLOSED";
    // Unknown numbers, too.
    return [204, undefined];
  }

  private async startRefund(request: Refund["request"]): Promise<readonly [number, object]> {
    const paid = this.transactions.get(request.out_trade_no);
    if (!paid?.transaction_id) return notFound("RESOURCE_NOT_EXISTS");
    const found = this.refunds.get(request.out_refund_no);
    if (found && JSON.stringify(found.request) !== JSON.stringify(request))
      return [400, { code: "INVALID_REQUEST", message: "请求重入时，参数与首次请求时不一致" }];
    if (found) return [200, this.refundJson(request.out_refund_no)];
    const { total } = paid.request.amount as { total: number };
    const refunded = [...this.refunds.values()]
      .filter((each) => each.request.out_trade_no === request.out_trade_no && each.status !== "CLOSED")
      .reduce((sum, each) => sum + each.request.amount.refund, 0);
    if (request.amount.total !== total || refunded + request.amount.refund > total)
      return [400, { code: "INVALID_REQUEST", message: "订单金额或退款金额与之前请求不一致" }];
    if (request.amount.refund > this.balance) return [403, { code: "NOT_ENOUGH", message: "基本账户余额不足" }];
    this.balance -= request.amount.refund;
    paid.trade_state = "REFUND";
    this.refunds.set(request.out_refund_no, {
      request,
      refund_id: `50300${randomBytes(10).toString("hex")}`,
      status: "PROCESSING",
    });
    await this.beforeResponse?.(request.out_refund_no);
    return [200, this.refundJson(request.out_refund_no)];
  }

  private async startTransfer(
    sent: Transfer["request"],
    serial: string | string[] | undefined,
  ): Promise<readonly [number, object]> {
    const request = {
      ...sent,
      ...(sent.user_name !== undefined && { user_name: this.decryptName(sent.user_name, serial) }),
    };
    const { appid, out_bill_no: no, openid, transfer_amount: amount, user_name } = request;
    const { transfer_scene_id, transfer_scene_report_infos, transfer_remark } = sent as unknown as Record<
      string,
      unknown
    >;
    const isValid =
      [MINI.appid, H5.appid].includes(appid) &&
      /^[0-9A-Za-z]{6,32}$/.test(no) &&
      openid &&
      Number.isInteger(amount) &&
      amount >= 10 &&
      transfer_scene_id === "1005" &&
      JSON.stringify((transfer_scene_report_infos as { info_type: string }[]).map(({ info_type }) => info_type)) ===
        '["岗位类型","报酬说明"]' &&
      String(transfer_remark).length <= 32 &&
      !String(sent.notify_url).includes("?") &&
      (amount < 200_000 || user_name);
    if (!isValid) return [400, { code: "PARAM_ERROR", message: "参数错误" }];
    const found = this.transfers.get(no);
    if (found && JSON.stringify(found.request) !== JSON.stringify(request))
      return [400, { code: "INVALID_REQUEST", message: "请求重入时，参数与首次请求时不一致" }];
    if (!found) {
      if (amount > this.balance) return [403, { code: "NOT_ENOUGH", message: "资金不足" }];
      this.balance -= amount;
      const state = this.acceptsSlowly ? "ACCEPTED" : "WAIT_USER_CONFIRM";
      this.transfers.set(no, {
        request,
        transfer_bill_no: `13300${randomBytes(10).toString("hex")}`,
        state,
        package_info: `package of ${no}+/=`,
      });
      await this.beforeResponse?.(no);
    }
    const { state, transfer_bill_no, package_info } = this.transfers.get(no)!;
    return [
      200,
      {
        out_bill_no: no,
        transfer_bill_no,
        create_time: new Date().toISOString(),
        state,
        ...(state === "WAIT_USER_CONFIRM" && { package_info }),
      },
    ];
  }

  /** A name that was encrypted with the key that the request names. */
  private decryptName(text: string, serial: string | string[] | undefined): string {
    const { privateKey } = serial === PUBLIC_KEY_ID ? this.keys : this.certificateKeys;
    return decryptPersonal(text, privateKey);
  }

  private cancelTransfer(no: string): readonly [number, object] {
    const found = this.transfers.get(no);
    if (!found) return notFound("NOT_FOUND");
    if (!["ACCEPTED", "WAIT_USER_CONFIRM", "CANCELING", "CANCELLED"].includes(found.state))
      return [400, { code: "INVALID_REQUEST", message: "当前状态不可撤销" }];
    if (found.state !== "CANCELLED") found.state = "CANCELING";
    return [
      200,
      {
        out_bill_no: no,
        transfer_bill_no: found.transfer_bill_no,
        state: found.state,
        update_time: new Date().toISOString(),
      },
    ];
  }

  /** Without `package_info`, which only the response to a request has. */
  private transferJson(no: string): object {
    const {
      request: { appid, openid, transfer_amount },
      transfer_bill_no,
      state,
      fail_reason,
    } = this.transfers.get(no)!;
    return {
      mch_id: MCHID,
      out_bill_no: no,
      transfer_bill_no,
      appid,
      state,
      transfer_amount,
      openid,
      ...(fail_reason && { fail_reason }),
    };
  }

  private transactionJson(no: string): object {
    const { request, trade_state, transaction_id } = this.transactions.get(no)!;
    return {
      appid: request.appid,
      mchid: MCHID,
      out_trade_no: no,
      trade_state,
      trade_state_desc: trade_state,
      ...(transaction_id && {
        transaction_id,
        trade_type: "JSAPI",
        amount: { ...(request.amount as object), payer_total: (request.amount as { total: number }).total },
      }),
    };
  }

  private refundJson(no: string): object {
    const { request, refund_id, status } = this.refunds.get(no)!;
    return { refund_id, out_refund_no: no, out_trade_no: request.out_trade_no, status, amount: request.amount };
  }

  /** Whether a signature over lines is that of the merchant. */
  static isMerchants(lines: string[], signature: string): boolean {
    return createVerify("RSA-SHA256")
      .update(lines.map((line) => `${line}\n`).join(""))
      .verify(createPublicKey(merchantKeys.privateKey), signature, "base64");
  }
}

async function send(url: unknown, notification: Notification): Promise<number> {
  const response = await fetch(String(url), { method: "POST", ...notification });
  await response.body?.cancel();
  return response.status;
}

function notFound(code: string): readonly [number, object] {
  return [404, { code, message: "不存在" }];
}
