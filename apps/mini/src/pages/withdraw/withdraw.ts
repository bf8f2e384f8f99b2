import type { Api } from "../../../../client/index.ts";
import { amountText } from "../../../../../functions/_shared/words/amount_text.ts";
import { formatMoney } from "../../../../../functions/_shared/words/figures.ts";
import { definePage, type Entered, factsOf, type Tap } from "../../page.ts";
import { api, ask } from "../../store/store.ts";
import { obstacleText } from "../../store/withdrawals.ts";
import { fill, texts } from "../../texts/texts.ts";
import { notify, openPage } from "../../wechat.ts";

const t = texts.withdrawals;

type Terms = Api["WithdrawalTerms"];
type Method = Terms["methods"][number]["method"];

/** What the store says of the real name that it needs for an amount; empty if it needs none. */
const neededText = ({ real_name }: Terms, amount: string) =>
  real_name !== null && Number(amount) >= Number(real_name.amount_from)
    ? fill(texts.real_names.needed[real_name.state], { amount: formatMoney(real_name.amount_from) })
    : "";

/** Requests a withdrawal. */
definePage(
  {
    title: t.form.title,
    texts: ["withdrawals", "real_names"],
    data: {
      terms: null as Terms | null,
      obstacle: "",
      methods: [] as { id: Method; name: string }[],
      method: null as Method | null,
      between: "",
      accounts: [] as { id: number; text: string }[],
      accountId: 0,
      amount: "",
      payeeName: "",
      needsName: false,
      needed: "",
      facts: [] as ReturnType<typeof factsOf>,
    },

    async load() {
      const { amount } = this.data;
      const query = amountText.test(amount) ? { amount } : {};
      const [terms, accounts] = await Promise.all([
        ask(() => api.GET("/api/withdrawal/terms", { params: { query } })),
        ask(() => api.GET("/api/account")),
      ]);
      const offered =
        terms.methods.find((each) => each.method === this.data.method) ??
        terms.methods.find((each) => accounts.some(({ method }) => method === each.method)) ??
        terms.methods[0];
      const usable = accounts.filter(({ method }) => method === offered?.method);
      return {
        terms,
        obstacle: obstacleText(terms),
        methods: terms.methods.map(({ method }) => ({ id: method, name: t.method[method] })),
        method: offered?.method ?? null,
        between: offered
          ? fill(t.form.between, { minimum: formatMoney(offered.minimum), maximum: formatMoney(offered.maximum) })
          : "",
        accounts: usable.map(({ id, method, bank, account_no, holder }) => ({
          id,
          text: `${bank ?? t.method[method]} ${account_no} ${holder}`,
        })),
        accountId: (usable.find(({ id }) => id === this.data.accountId) ?? usable[0])?.id ?? 0,
        needsName:
          offered?.name_from !== null &&
          offered?.name_from !== undefined &&
          Number(amount) >= Number(offered.name_from),
        needed: neededText(terms, amount),
        facts: factsOf([
          [t.fee, terms.fee !== null && formatMoney(terms.fee)],
          [t.estimatedTax, terms.estimated_tax !== null && formatMoney(terms.estimated_tax)],
          [t.received, terms.net_amount !== null && formatMoney(terms.net_amount)],
        ]),
      };
    },
  },
  {
    /** The terms of the chosen method. */
    chosen() {
      return this.data.terms!.methods.find(({ method }) => method === this.data.method);
    },

    chooseMethod({ currentTarget: { dataset } }: Tap<{ method: Method }>) {
      this.setData({ method: dataset.method });
      return this.refresh();
    },

    chooseAccount({ currentTarget: { dataset } }: Tap<{ id: number }>) {
      this.setData({ accountId: dataset.id });
    },

    enterAmount({ detail }: Entered<string>) {
      this.setData({ amount: detail.value.trim() });
      return this.refresh();
    },

    enterName({ detail }: Entered<string>) {
      this.setData({ payeeName: detail.value });
    },

    all() {
      this.setData({ amount: this.chosen()?.maximum ?? "" });
      return this.refresh();
    },

    addAccount() {
      openPage(`/pages/account/account?method=${this.data.method}`);
    },

    giveRealName() {
      openPage("/pages/real_name/real_name");
    },

    request() {
      return this.act(async () => {
        const { method, amount, accountId, needsName, payeeName } = this.data;
        if (method === null) return;
        const body = {
          amount,
          method,
          ...(method !== "wechat" && accountId > 0 && { account_id: accountId }),
          ...(needsName && { payee_name: payeeName.trim() }),
        };
        const { id } = await this.write(body, (key) => api.POST("/api/withdrawal", { body, ...key }));
        notify(t.form.done);
        void wx.redirectTo({ url: `/pages/withdrawal/withdrawal?id=${id}` });
      });
    },
  },
);
