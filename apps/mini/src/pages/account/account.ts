import type { Api } from "../../../../client/index.ts";
import { definePage, type Entered } from "../../page.ts";
import { api } from "../../store/store.ts";
import { texts } from "../../texts/texts.ts";
import { notify } from "../../wechat.ts";

const t = texts.withdrawals.account;
const methods: readonly Api["AccountInput"]["method"][] = ["bank", "alipay"];

/** Adds an account to which the member withdraws. */
definePage(
  {
    title: t.add,
    texts: ["withdrawals"],
    data: { method: methods[0]! },

    async load() {
      return { method: methods.find((method) => method === this.query.method) ?? methods[0]! };
    },
  },
  {
    save({ detail }: Entered<{ holder: string; bank?: string; account_no: string }>) {
      return this.act(async () => {
        const { method } = this.data;
        const { holder, bank, account_no } = detail.value;
        const body = {
          method,
          holder: holder.trim(),
          account_no: account_no.trim(),
          ...(method === "bank" && { bank: bank?.trim() ?? "" }),
        };
        await this.write(body, (key) => api.POST("/api/account", { body, ...key }));
        notify(t.saved);
        void wx.navigateBack();
      });
    },
  },
);
