import { Button } from "antd-mobile";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { failureOf } from "../../../../web/failure.ts";
import { useAction } from "../../../../web/use_action.ts";
import { Choices } from "../../components/choices.tsx";
import { FailureBox } from "../../components/failure_box.tsx";
import { TextField } from "../../components/field.tsx";
import { notify } from "../../components/notices.tsx";
import { Page } from "../../components/page.tsx";
import { useTarget } from "../../session/after_sign_in.ts";
import { useStore } from "../../store/store.tsx";

type Method = Api["AccountInput"]["method"];

const methods: readonly Method[] = ["bank", "alipay"];

/** Adds an account to which the member withdraws. */
export function Component() {
  const { t } = useTranslation("withdrawals");
  const navigate = useNavigate();
  const api = useStore();
  const { target } = useTarget();
  const [parameters] = useSearchParams();
  const [method, setMethod] = useState<Method>(parameters.get("method") === "alipay" ? "alipay" : "bank");
  const [holder, setHolder] = useState("");
  const [number, setNumber] = useState("");
  const [bank, setBank] = useState("");
  const back = target === "/" ? "/accounts" : target;
  const save = useAction((body: Api["AccountInput"], key) => api.POST("/api/account", { body, ...key }));
  const { fields } = save.error ? failureOf(save.error) : { fields: {} as Record<string, string> };
  const submit = () =>
    save.mutate(
      { method, holder: holder.trim(), account_no: number.trim(), ...(method === "bank" && { bank: bank.trim() }) },
      {
        onSuccess: () => {
          notify(t("account.saved"));
          void navigate(back, { replace: true });
        },
      },
    );
  return (
    <Page title={t("account.add")} back={back}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <FailureBox error={save.error} />
        <Choices label={t("form.method")} values={methods} value={method} nameOf={(each) => t(`method.${each}`)} onChange={setMethod} />
        <div className="card stack">
          <TextField
            label={t("account.holder")}
            hint={t("account.holderHint")}
            name="holder"
            autoComplete="name"
            maxLength={64}
            required
            value={holder}
            error={fields.holder}
            onChange={({ target: { value } }) => setHolder(value)}
          />
          {method === "bank" && (
            <TextField
              label={t("account.bank")}
              name="bank"
              autoComplete="off"
              maxLength={64}
              required
              value={bank}
              error={fields.bank}
              onChange={({ target: { value } }) => setBank(value)}
            />
          )}
          <TextField
            label={t(method === "bank" ? "account.bankNumber" : "account.alipayNumber")}
            name="account_no"
            autoComplete="off"
            maxLength={64}
            required
            value={number}
            error={fields.account_no}
            onChange={({ target: { value } }) => setNumber(value)}
          />
        </div>
        <Button block type="submit" color="primary" size="large" shape="rounded" loading={save.isPending}>
          {t("account.save")}
        </Button>
      </form>
    </Page>
  );
}
