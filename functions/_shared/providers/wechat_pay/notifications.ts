import { z } from "@hono/zod-openapi";
import type { Environment } from "../../ground/env.ts";
import { bytesOf, parseJson } from "../signed_message.ts";
import type { NotificationReader, PaymentEvent, ProviderEvent, RefundEvent, TransferEvent } from "../notification.ts";
import { type Merchant, readMerchant } from "./merchant.ts";
import { reportedRefund } from "./payments.ts";
import { verifySignature } from "./signature.ts";
import { reportedTransfer } from "./transfers.ts";

const shortText = z.string().min(1).max(128);

const envelope = z.object({
  id: shortText,
  event_type: z.string(),
  resource: z.object({
    algorithm: z.literal("AEAD_AES_256_GCM"),
    ciphertext: z.string(),
    nonce: z.string(),
    associated_data: z.string().nullish(),
  }),
});

const transaction = z.object({
  mchid: z.string(),
  appid: z.string(),
  out_trade_no: shortText,
  transaction_id: shortText,
  trade_state: z.string(),
  amount: z.object({
    total: z
      .int()
      .min(0)
      .max(10 ** 13),
    currency: z.string().min(1).max(16),
  }),
});

/** The content of REFUND.SUCCESS, REFUND.ABNORMAL and REFUND.CLOSED, which names no app and no currency. */
const refund = z.object({
  mchid: z.string(),
  out_trade_no: shortText,
  transaction_id: shortText,
  out_refund_no: shortText,
  refund_id: shortText,
  refund_status: z.string(),
  amount: z.object({
    refund: z
      .int()
      .min(0)
      .max(10 ** 13),
  }),
});

/** The content of MCHTRANSFER.BILL.FINISHED. */
const transfer = z.object({
  mchid: z.string(),
  out_bill_no: shortText,
  transfer_bill_no: shortText,
  state: z.string(),
  transfer_amount: z
    .int()
    .min(0)
    .max(10 ** 13),
  openid: shortText,
  fail_reason: z.string().nullish(),
});

/** Reads the notifications of WeChat Pay, API v3. */
export function createWechatPay(env: Environment): NotificationReader | undefined {
  const merchant = readMerchant(env);
  return (
    merchant && {
      read: async (notification) => {
        await verifySignature(merchant, notification);
        return readEvent(merchant, notification.body);
      },
    }
  );
}

async function readEvent(merchant: Merchant, body: Uint8Array): Promise<ProviderEvent> {
  const outer = envelope.safeParse(parseJson(body)).data;
  if (!outer) return { eventId: null, kind: "other", fault: "content_unreadable" };
  const eventId = outer.id;
  const read = [
    ["TRANSACTION.", readPayment],
    ["REFUND.", readRefund],
    ["MCHTRANSFER.", readTransfer],
  ] as const;
  const found = read.find(([prefix]) => outer.event_type.startsWith(prefix));
  // Notifications of other services arrive at the same address.
  if (!found) return { eventId, kind: "other" };

  const plain = await decrypt(merchant.apiV3Key, outer.resource);
  if (!plain) return { eventId, kind: "other", fault: "resource_unreadable" };
  return { eventId, ...(found[1](merchant, parseJson(plain)) ?? { kind: "other", fault: "content_unreadable" }) };
}

type Content = Omit<PaymentEvent, "eventId"> | Omit<RefundEvent, "eventId"> | Omit<TransferEvent, "eventId">;

function readPayment({ mchid, appids }: Merchant, content: unknown): Content | undefined {
  const inner = transaction.safeParse(content).data;
  return (
    inner && {
      kind: inner.trade_state === "SUCCESS" ? "payment" : "other",
      ...(!(inner.mchid === mchid && appids.includes(inner.appid)) && { fault: "merchant_differs" }),
      orderNo: inner.out_trade_no,
      payRef: inner.transaction_id,
      amountMinor: inner.amount.total,
      currency: inner.amount.currency,
    }
  );
}

function readRefund({ mchid }: Merchant, content: unknown): Content | undefined {
  const inner = refund.safeParse(content).data;
  if (!inner) return undefined;
  if (inner.mchid !== mchid)
    return { kind: "other", fault: "merchant_differs", orderNo: inner.out_trade_no, payRef: inner.transaction_id };
  return {
    kind: "refund",
    paymentNo: inner.out_trade_no,
    payRef: inner.transaction_id,
    amountMinor: inner.amount.refund,
    refundNo: inner.out_refund_no,
    reported: reportedRefund(inner.refund_status, inner.refund_id),
  };
}

function readTransfer({ mchid }: Merchant, content: unknown): Content | undefined {
  const inner = transfer.safeParse(content).data;
  if (!inner) return undefined;
  if (inner.mchid !== mchid)
    return { kind: "other", fault: "merchant_differs", orderNo: inner.out_bill_no, payRef: inner.transfer_bill_no };
  return {
    kind: "transfer",
    withdrawalNo: inner.out_bill_no,
    openid: inner.openid,
    amountMinor: inner.transfer_amount,
    reported: reportedTransfer(inner.state, inner.transfer_bill_no, inner.fail_reason),
  };
}

async function decrypt(
  apiV3Key: Uint8Array<ArrayBuffer>,
  resource: z.infer<typeof envelope>["resource"],
): Promise<Uint8Array | undefined> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const ciphertext = bytesOf(resource.ciphertext);
  if (!ciphertext) return undefined;
  const key = await crypto.subtle.importKey("raw", apiV3Key, "AES-GCM", false, ["decrypt"]);
  const algorithm = {
    name: "AES-GCM",
    iv: bytes(resource.nonce),
    additionalData: bytes(resource.associated_data ?? ""),
  };
  return crypto.subtle.decrypt(algorithm, key, ciphertext).then(
    (plain) => new Uint8Array(plain),
    () => undefined,
  );
}
