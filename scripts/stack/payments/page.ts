import { html } from "hono/html";
import type { LocalPayment } from "./ledger.ts";

const TEXTS = {
  en: {
    title: "Payment",
    notice: "Payment page of the local stack. No real money is moved.",
    amount: "Amount",
    pay: "Pay",
    decline: "Do not pay",
    paid: "Paid. Thank you.",
    closed: "This payment was closed and can no longer be made.",
    expired: "The time for this payment is over.",
    declined: "You have not paid. You can still pay.",
    unknown: "There is no such payment.",
    back: "Back to the store",
  },
  zh: {
    title: "支付",
    notice: "本地环境的支付页面，不涉及真实资金。",
    amount: "金额",
    pay: "支付",
    decline: "暂不支付",
    paid: "支付成功，谢谢。",
    closed: "该笔支付已关闭，无法继续支付。",
    expired: "支付已超时。",
    declined: "您尚未支付，仍可继续支付。",
    unknown: "支付不存在。",
    back: "返回商城",
  },
};

export type Language = keyof typeof TEXTS;

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 0; display: grid; place-items: center; min-height: 100vh; background: light-dark(#f2f3f5, #16171a); }
  main { box-sizing: border-box; width: min(100%, 26rem); padding: 1.5rem; background: light-dark(#fff, #232529); border-radius: 12px; }
  h1 { font-size: 1.125rem; margin: 0 0 1rem; }
  .amount { font-size: 2.25rem; font-weight: 600; margin: 0; }
  .small { font-size: .875rem; color: light-dark(#5c6068, #a9adb5); overflow-wrap: anywhere; }
  [role=status] { font-weight: 600; }
  button, a { box-sizing: border-box; display: block; width: 100%; min-height: 48px; margin-top: .75rem; padding: .6rem; border-radius: 8px; font: inherit;
    text-align: center; text-decoration: none; cursor: pointer; border: 1px solid light-dark(#1f6f43, #7fd6a5); background: none; color: light-dark(#1f6f43, #7fd6a5); }
  button.primary { background: #1f6f43; border-color: #1f6f43; color: #fff; }
`;

/** What the page shows. */
export interface PageContent {
  language: Language;
  payment: LocalPayment | undefined;
  /** Whether the payer has just declined. */
  declined: boolean;
  /** Where the payer returns to. */
  redirectUrl: string | undefined;
  now: Date;
}

/** The page on which a payer accepts or declines. It needs no script. */
export function paymentPage({ language, payment, declined, redirectUrl, now }: PageContent) {
  const texts = TEXTS[language];
  const expired = payment?.state === "open" && now > new Date(payment.expiresAt);
  const status = !payment
    ? texts.unknown
    : expired
      ? texts.expired
      : payment.state === "open"
        ? declined && texts.declined
        : texts[payment.state];
  return html`<!doctype html>
    <html lang="${language === "zh" ? "zh-CN" : "en"}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${texts.title}</title>
        <link rel="icon" href="data:," />
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <main>
          <h1>${texts.title}</h1>
          ${
            payment && payment.amountMinor > 0
              ? html`<p class="small">${texts.amount}</p>
                  <p class="amount">¥${(payment.amountMinor / 100).toFixed(2)}</p>
                  <p class="small">${payment.description}</p>`
              : ""
          }
          ${status ? html`<p role="status">${status}</p>` : ""}
          ${
            payment?.state === "open" && !expired
              ? html`<form method="post">
                  <button class="primary" name="choice" value="pay">${texts.pay}</button>
                  <button name="choice" value="decline">${texts.decline}</button>
                </form>`
              : ""
          }
          ${redirectUrl ? html`<a href="${redirectUrl}">${texts.back}</a>` : ""}
          <p class="small">${texts.notice}</p>
        </main>
      </body>
    </html>`;
}
