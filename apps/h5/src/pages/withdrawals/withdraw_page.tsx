import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { amountText } from "../../../../../functions/_shared/words/amount_text.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Button } from "../../components/button.tsx";
import { Choices } from "../../components/choices.tsx";
import { classes } from "../../components/classes.ts";
import { EntryOption } from "../../components/entry.tsx";
import { Facts } from "../../components/facts.tsx";
import { TextField } from "../../components/field.tsx";
import { formatMoney, Money } from "../../components/figures.tsx";
import { Form, SubmitButton } from "../../components/form.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { LinkButton } from "../../components/link_button.tsx";
import { notify } from "../../components/notices.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { useForm } from "../../components/use_form.ts";
import { useApi, useStore } from "../../store/store.ts";
import { NeededRealName } from "../real_names/needed_real_name.tsx";
import { AccountText } from "./account_text.tsx";
import styles from "./withdraw_page.module.css";
import "../../i18n/later.ts";

type Terms = Api["WithdrawalTerms"];
type Method = Terms["methods"][number]["method"];

const isAmount = (text: string) => amountText.test(text);

/** Fee and tax of an amount and what is left of it, computed by the store. */
const useFee = (amount: string) =>
  useApi("/api/withdrawal/terms", { params: { query: { amount } } }, { enabled: isAmount(amount) }).data;

function Fee({ amount }: { amount: string }) {
  const { t } = useTranslation("withdrawals");
  const { fee, estimated_tax, net_amount } = useFee(amount) ?? {};
  return (
    <Facts
      items={[
        [t("fee"), fee && <Money value={fee} />],
        [t("estimatedTax"), estimated_tax && <Money value={estimated_tax} />],
        [t("received"), net_amount && <Money value={net_amount} />],
      ]}
    />
  );
}

function WithdrawalForm({ terms, accounts }: { terms: Terms; accounts: Api["Account"][] }) {
  const { t } = useTranslation("withdrawals");
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const api = useStore();
  const request = useAction((body: { amount: string; method: Method; account_id?: number; payee_name?: string }, key) =>
    api.POST("/api/withdrawal", { body, ...key }),
  );
  const methods = terms.methods.map((each) => each.method);
  const form = useForm(
    {
      method:
        methods.find((each) => each === parameters.get("method")) ??
        accounts.find((account) => methods.includes(account.method))?.method ??
        methods[0]!,
      /** The account that the member has chosen. */
      account_id: undefined as number | undefined,
      amount: parameters.get("amount") ?? "",
      payee_name: "",
    },
    (): Promise<Api["Withdrawal"]> =>
      request.mutateAsync({
        amount,
        method,
        ...(method !== "wechat" && account && { account_id: account.id }),
        ...(needsName && { payee_name: name }),
      }),
    () => {
      notify(t("form.done"));
      void navigate("/withdrawals", { replace: true });
    },
  );
  const { method, account_id } = form.values;
  const amount = form.values.amount.trim();
  const name = form.values.payee_name.trim();
  // For a member who leaves to add an account or to give a real name, and comes back.
  useEffect(() => {
    void navigate(
      { search: new URLSearchParams({ method, amount }).toString() },
      { replace: true, preventScrollReset: true },
    );
  }, [navigate, method, amount]);
  const usable = accounts.filter((account) => account.method === method);
  const account = usable.find(({ id }) => id === account_id) ?? usable[0];
  const { minimum, maximum, name_from } = terms.methods.find((each) => each.method === method)!;
  const { real_name } = terms;
  const needsRealName = real_name !== null && Number(amount) >= Number(real_name.amount_from);
  const needsName = name_from !== null && Number(amount) >= Number(name_from);
  return (
    <Form of={form}>
      {methods.length > 1 && (
        <Choices
          label={t("form.method")}
          values={methods}
          value={method}
          nameOf={(each) => t(`method.${each}`)}
          onChange={(each) => form.change({ method: each })}
        />
      )}
      {method !== "wechat" && (
        <fieldset className={classes(layout.card, layout.stack, styles.accounts)}>
          <legend>{t("form.account")}</legend>
          {usable.map((each) => (
            <EntryOption
              key={each.id}
              isChosen={each.id === account?.id}
              onChoose={() => form.change({ account_id: each.id })}
            >
              <AccountText account={each} />
            </EntryOption>
          ))}
          <LinkButton look="plain" to={`/accounts/new?method=${method}&to=${encodeURIComponent("/withdrawals/new")}`}>
            {t("account.add")}
          </LinkButton>
        </fieldset>
      )}
      <div className={classes(layout.card, layout.stack)}>
        <TextField
          label={t("form.amount")}
          hint={t("form.between", { minimum: formatMoney(minimum), maximum: formatMoney(maximum) })}
          inputMode="decimal"
          autoComplete="off"
          maxLength={15}
          required
          {...form.field("amount")}
        />
        <Button size="small" onClick={() => form.change({ amount: maximum })}>
          {t("form.all")}
        </Button>
        {isAmount(amount) && <Fee amount={amount} />}
        {needsName && (
          <TextField
            label={t("form.name")}
            hint={t("form.nameHint")}
            autoComplete="name"
            maxLength={64}
            required
            {...form.field("payee_name")}
          />
        )}
      </div>
      <p className="weak">
        {t("form.meaning")}
        {method === "wechat" && ` ${t("form.wechat")}`}
      </p>
      {needsRealName && <NeededRealName missing={real_name} />}
      <SubmitButton
        of={form}
        disabled={!isAmount(amount) || needsRealName || (method !== "wechat" && !account) || (needsName && name === "")}
      >
        {t("form.submit")}
      </SubmitButton>
    </Form>
  );
}

/** Requests a withdrawal. */
export function Component() {
  const { t } = useTranslation("withdrawals");
  const terms = useApi("/api/withdrawal/terms");
  const accounts = useApi("/api/account");
  return (
    <Page title={t("form.title")} back="/withdrawals">
      <QueryResult of={terms}>
        {(shown) =>
          shown.methods.length === 0 ? (
            <p role="status">{t("closed")}</p>
          ) : (
            <QueryResult of={accounts}>{(list) => <WithdrawalForm terms={shown} accounts={list} />}</QueryResult>
          )
        }
      </QueryResult>
    </Page>
  );
}
