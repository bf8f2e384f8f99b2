import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Choices } from "../../components/choices.tsx";
import { classes } from "../../components/classes.ts";
import { TextField } from "../../components/field.tsx";
import { Form, SubmitButton } from "../../components/form.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { notify } from "../../components/notices.tsx";
import { Page, useLeave } from "../../components/page.tsx";
import { useForm } from "../../components/use_form.ts";
import { useTarget } from "../../session/after_sign_in.ts";
import { useStore } from "../../store/store.ts";
import "../../i18n/later.ts";

type Method = Api["AccountInput"]["method"];

const methods: readonly Method[] = ["bank", "alipay"];

/** Adds an account to which the member withdraws. */
export function Component() {
  const { t } = useTranslation("withdrawals");
  const api = useStore();
  const { target } = useTarget();
  const [parameters] = useSearchParams();
  const asked: Method = parameters.get("method") === "alipay" ? "alipay" : "bank";
  const back = target === "/" ? "/accounts" : target;
  const leave = useLeave(back);
  const save = useAction((body: Api["AccountInput"], key) => api.POST("/api/account", { body, ...key }));
  const form = useForm(
    { method: asked, holder: "", bank: "", account_no: "" },
    ({ method, holder, bank, account_no }) =>
      save.mutateAsync({
        method,
        holder: holder.trim(),
        account_no: account_no.trim(),
        ...(method === "bank" && { bank: bank.trim() }),
      }),
    () => {
      notify(t("account.saved"));
      leave();
    },
  );
  const { method } = form.values;
  return (
    <Page title={t("account.add")} back={back}>
      <Form of={form}>
        <Choices
          label={t("form.method")}
          values={methods}
          value={method}
          nameOf={(each) => t(`method.${each}`)}
          onChange={(each) => form.change({ method: each })}
        />
        <div className={classes(layout.card, layout.stack)}>
          <TextField
            label={t("account.holder")}
            hint={t("account.holderHint")}
            autoComplete="name"
            maxLength={64}
            required
            {...form.field("holder")}
          />
          {method === "bank" && (
            <TextField label={t("account.bank")} autoComplete="off" maxLength={64} required {...form.field("bank")} />
          )}
          <TextField
            label={t(method === "bank" ? "account.bankNumber" : "account.alipayNumber")}
            autoComplete="off"
            maxLength={64}
            required
            {...form.field("account_no")}
          />
        </div>
        <SubmitButton of={form}>{t("account.save")}</SubmitButton>
      </Form>
    </Page>
  );
}
