import type { Api } from "../../../../client/index.ts";
import { formatMoney } from "../../../../../functions/_shared/words/figures.ts";
import { definePage, factsOf } from "../../page.ts";
import { consent, missingConsents } from "../../store/consents.ts";
import { confirmReceipt } from "../../store/payments.ts";
import { api, ask } from "../../store/store.ts";
import { isReturned, reasonText, targetText, withdrawalState } from "../../store/withdrawals.ts";
import { timeText } from "../../texts/dates.ts";
import { fill, texts } from "../../texts/texts.ts";
import { isConfirmed, notify } from "../../wechat.ts";

const t = texts.withdrawals;

/** What the member has to do, or waits for. */
function adviceOf({ confirmation, net_amount }: Api["OwnWithdrawal"]): string {
  return confirmation ? fill(t.confirm.text, { amount: formatMoney(net_amount) }) : t.confirm.waiting;
}

definePage(
  {
    title: t.one.title,
    texts: ["withdrawals"],
    data: {
      withdrawal: null as Api["OwnWithdrawal"] | null,
      advice: "",
      isReturned: false,
      facts: [] as ReturnType<typeof factsOf>,
      /** Templates of WeChat that could tell the member what happens next. */
      templates: [] as string[],
    },

    async load() {
      const path = { id: Number(this.query.id) };
      const withdrawal = await ask(() => api.GET("/api/withdrawal/{id}", { params: { path } }));
      const { method, state } = withdrawal;
      const isWaiting = method === "wechat" && (state === "approved" || state === "paying");
      return {
        withdrawal,
        isWaiting,
        advice: isWaiting ? adviceOf(withdrawal) : "",
        isReturned: isReturned(withdrawal),
        facts: factsOf([
          [t.one.state, withdrawalState(withdrawal)],
          [t.one.reason, reasonText(withdrawal)],
          [t.form.amount, formatMoney(withdrawal.amount)],
          [t.fee, withdrawal.fee !== "0.00" && formatMoney(withdrawal.fee)],
          [t.tax, withdrawal.tax !== "0.00" && formatMoney(withdrawal.tax)],
          [t.estimatedTax, withdrawal.estimated_tax !== null && formatMoney(withdrawal.estimated_tax)],
          [t.received, !isReturned(withdrawal) && formatMoney(withdrawal.net_amount)],
          [t.one.to, targetText(withdrawal)],
          [t.one.number, withdrawal.withdrawal_no],
          [t.one.requested, timeText(withdrawal.add_time)],
          [t.one.ended, withdrawal.ended_at && timeText(withdrawal.ended_at)],
        ]),
        templates: withdrawal.ended_at ? [] : await missingConsents(["withdrawals"]),
      };
    },
  },
  {
    ...consent,

    confirm() {
      return this.act(async () => {
        await confirmReceipt(this.data.withdrawal!.confirmation!);
        await this.refresh();
      });
    },

    cancel() {
      return this.act(async () => {
        if (!(await isConfirmed(t.cancel.title, t.cancel.text))) return;
        const path = { id: this.data.withdrawal!.id };
        await this.write(["cancel", path], (key) =>
          api.PUT("/api/withdrawal/{id}/cancel", { params: { path }, ...key }),
        );
        notify(t.cancel.done);
        await this.refresh();
      });
    },
  },
);
