import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Choices } from "../../components/choices.tsx";
import { classes } from "../../components/classes.ts";
import { Facts } from "../../components/facts.tsx";
import { TextArea } from "../../components/field.tsx";
import { Form, SubmitButton } from "../../components/form.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { notify } from "../../components/notices.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { Tag } from "../../components/tag.tsx";
import { Time } from "../../components/time.tsx";
import { useForm } from "../../components/use_form.ts";
import { useApi, useStore } from "../../store/store.ts";
import "../../i18n/later.ts";

type PersonRequest = Api["PersonRequest"];

interface Fields {
  kind: PersonRequest["kind"];
  note: string;
}

const empty: Fields = { kind: "correction", note: "" };

const kinds = ["correction", "copy", "deletion"] as const satisfies PersonRequest["kind"][];

/** Asks the store for what the member cannot do alone. */
function RequestForm() {
  const { t } = useTranslation("person_requests");
  const api = useStore();
  const ask = useAction((body: Fields, key) => api.POST("/api/user/request", { body, ...key }));
  const form = useForm(
    empty,
    (values) => ask.mutateAsync(values),
    () => {
      form.change({ note: "" });
      notify(t("asked"));
    },
  );
  const { kind } = form.values;
  return (
    <Form of={form}>
      <div className={classes(layout.card, layout.stack)}>
        <Choices
          label={t("kind")}
          values={kinds}
          value={kind}
          nameOf={(each) => t(`kinds.${each}`)}
          onChange={(chosen) => form.change({ kind: chosen })}
        />
        <TextArea
          label={t("note")}
          hint={t(`noteOf.${kind}`)}
          maxLength={500}
          required={kind === "correction"}
          {...form.field("note")}
        />
      </div>
      <SubmitButton of={form}>{t("ask")}</SubmitButton>
    </Form>
  );
}

function RequestRow({
  request: { kind, state, note, answer, received_at, due_at, closed_at },
}: {
  request: PersonRequest;
}) {
  const { t } = useTranslation("person_requests");
  return (
    <li className={layout.stack}>
      <span className={layout.apart}>
        <strong>{t(`kinds.${kind}`)}</strong>
        <Tag look={state === "open" ? "warm" : "tag"}>{t(`states.${state}`)}</Tag>
      </span>
      <Facts
        items={[
          [t("received"), <Time key="received" value={received_at} />],
          [t("due"), state === "open" && <Time value={due_at} />],
          [t("closed"), closed_at && <Time value={closed_at} />],
          [t("asks"), note],
          [t("answer"), answer],
        ]}
      />
    </li>
  );
}

/** What the member has asked of the store about their personal data, and what became of it. */
export function Component() {
  const { t } = useTranslation("person_requests");
  const requests = useApi("/api/user/request");
  return (
    <Page title={t("title")} back="/me/security">
      <div className={layout.stack}>
        <p>{t("meaning")}</p>
        <RequestForm />
        <Section title={t("mine")}>
          <QueryResult of={requests}>
            {({ list }) =>
              list.length === 0 ? (
                <p className="weak">{t("none")}</p>
              ) : (
                <ul className={layout.stack}>
                  {list.map((request) => (
                    <RequestRow key={request.id} request={request} />
                  ))}
                </ul>
              )
            }
          </QueryResult>
        </Section>
      </div>
    </Page>
  );
}
