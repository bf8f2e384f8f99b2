import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Choices } from "../../components/choices.tsx";
import { classes } from "../../components/classes.ts";
import { TextField } from "../../components/field.tsx";
import { Form, SubmitButton } from "../../components/form.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { NoticeBox } from "../../components/notice_box.tsx";
import { notify } from "../../components/notices.tsx";
import { Page, useLeave } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { useForm } from "../../components/use_form.ts";
import { useTarget } from "../../session/after_sign_in.ts";
import { useApi, useStore } from "../../store/store.ts";
import "../../i18n/later.ts";

type Input = Api["RealNameInput"];

const documents: readonly Input["document"][] = ["id_card", "passport", "hk_macao_permit", "taiwan_permit"];

function RealNameForm({ back }: { back: string }) {
  const { t } = useTranslation("real_names");
  const leave = useLeave(back);
  const api = useStore();
  const save = useAction((body: Input) => api.PUT("/api/real_name", { body }));
  const form = useForm(
    { document: documents[0]!, name: "", number: "" },
    ({ document, name, number }) => save.mutateAsync({ document, name: name.trim(), number: number.trim() }),
    () => {
      notify(t("saved"));
      leave();
    },
  );
  const { document, name, number } = form.values;
  return (
    <Form of={form}>
      <Choices
        label={t("document")}
        values={documents}
        value={document}
        nameOf={(each) => t(`documents.${each}`)}
        onChange={(each) => form.change({ document: each })}
        wraps
      />
      <div className={classes(layout.card, layout.stack)}>
        <TextField
          label={t("name")}
          hint={t("nameHint")}
          autoComplete="name"
          maxLength={64}
          required
          {...form.field("name")}
        />
        <TextField label={t("number")} autoComplete="off" maxLength={32} required {...form.field("number")} />
      </div>
      <p className="weak">{t("why")}</p>
      <SubmitButton of={form} disabled={name.trim() === "" || number.trim() === ""}>
        {t("save")}
      </SubmitButton>
    </Form>
  );
}

/** What the member has given, masked, and how far it is. */
function Given({ given: { state, name, document, number, reason } }: { given: Api["OwnRealName"] }) {
  const { t } = useTranslation("real_names");
  if (state === "none") return null;
  return (
    <NoticeBox role="note">
      {document && <p>{t("stored", { name, document: t(`documents.${document}`), number })}</p>}
      {state === "checked" && <p>{t("checked")}</p>}
      {state === "refused" && <p>{reason ?? t("refused")}</p>}
    </NoticeBox>
  );
}

/** Gives the real name that the store needs for a large withdrawal. */
export function Component() {
  const { t } = useTranslation("real_names");
  const { target } = useTarget();
  const result = useApi("/api/real_name");
  const back = target === "/" ? "/withdrawals" : target;
  return (
    <Page title={t("title")} back={back}>
      <QueryResult of={result}>
        {(given) => (
          <>
            <Given given={given} />
            {given.state !== "checked" && <RealNameForm back={back} />}
          </>
        )}
      </QueryResult>
    </Page>
  );
}
