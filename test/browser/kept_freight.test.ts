import { expect, it } from "vitest";
import type { Api } from "../../apps/client/index.ts";
import { freightKept } from "../../apps/shared/refunds.ts";

const order = (shown_state: Api["Order"]["shown_state"], freight: string) => ({ shown_state, freight }) as Api["Order"];
const refund = (state: Api["Refund"]["state"], freight: string) => ({ state, freight }) as Api["Refund"];

it.each([
  ["all of it, after the shipment", "refunded", "8.00", [refund("refunded", "0.00")], "8.00"],
  [
    "what several refunds left",
    "refunded",
    "16.10",
    [refund("partly_refunded", "5.00"), refund("refunded", "3.00")],
    "8.10",
  ],
  [
    "nothing, if it was paid back",
    "refunded",
    "8.00",
    [refund("refunded", "8.00"), refund("refused", "8.00")],
    undefined,
  ],
  ["nothing while goods are left", "received", "8.00", [refund("refunded", "0.00")], undefined],
] as const)("the freight that an order keeps is %s", (_what, state, freight, refunds, kept) => {
  expect(freightKept(order(state, freight), [...refunds])).toBe(kept);
});
