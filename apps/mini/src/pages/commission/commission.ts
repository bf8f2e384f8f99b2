import type { Api } from "../../../../client/index.ts";
import { formatMoney } from "../../../../../functions/_shared/words/figures.ts";
import { named } from "../../lists.ts";
import { definePage, factsOf } from "../../page.ts";
import { api, ask } from "../../store/store.ts";
import { obstacleText, reasonText, targetText, withdrawalState } from "../../store/withdrawals.ts";
import { businessDayText, timeText } from "../../texts/dates.ts";
import { texts } from "../../texts/texts.ts";

const t = texts.withdrawals;

const rowOf = (withdrawal: Api["Withdrawal"]) => ({
  id: withdrawal.id,
  title: targetText(withdrawal),
  amount: formatMoney(withdrawal.amount),
  text: [withdrawalState(withdrawal), reasonText(withdrawal)].filter(Boolean).join(" · "),
  note: timeText(withdrawal.add_time),
  url: `/pages/withdrawal/withdrawal?id=${withdrawal.id}`,
});

/** The commission of the member: what can be withdrawn, what is maturing, and the withdrawals. */
definePage({
  title: t.title,
  texts: ["withdrawals"],
  data: { withdrawable: "", isDebt: false, obstacle: "", facts: [] as ReturnType<typeof factsOf> },

  async load() {
    const [assets, terms] = await Promise.all([
      ask(() => api.GET("/api/hjf/assets/overview")),
      ask(() => api.GET("/api/withdrawal/terms")),
    ]);
    return {
      withdrawable: formatMoney(assets.withdrawable),
      isDebt: assets.withdrawable.startsWith("-"),
      obstacle: obstacleText(terms),
      isHeld: assets.held_by_refunds !== "0.00",
      facts: factsOf([
        [t.balance, formatMoney(assets.brokerage_price)],
        [t.held, assets.held_by_refunds !== "0.00" && formatMoney(assets.held_by_refunds)],
        [t.maturing, formatMoney(assets.maturing)],
        ...assets.matures.map(({ date, amount }): [string, string] => [businessDayText(date), formatMoney(amount)]),
        [t.afterReceipt, assets.maturing_after_receipt !== "0.00" && formatMoney(assets.maturing_after_receipt)],
      ]),
    };
  },

  async list(cursor) {
    const query = { limit: 20, ...(cursor !== undefined && { cursor }) };
    return named(await ask(() => api.GET("/api/withdrawal", { params: { query } })), rowOf);
  },
});
