import { Alert, Stack, Text } from "@mantine/core";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { formatCount } from "../../components/figures.tsx";
import { MemberLink, OrderLink, WithdrawalLink } from "../../components/links.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { useAdmin } from "../../store/store.ts";
import { ExplainButton } from "./explain_button.tsx";

const column = columnsOf<Admin["ReconcileFinding"]>();
const explanation = columnsOf<Admin["ExplainedFinding"]>();

/** What a finding is about, with a link to the page of the first member, order or withdrawal that it names. */
function Subject({ text }: { text: string | null }) {
  const number = (name: string) => Number(new RegExp(`\\b${name} (\\d+)`).exec(text ?? "")?.[1] ?? 0);
  const [uid, order, withdrawal] = [number("uid"), number("order"), number("withdrawal")];
  return (
    <>
      {text} {uid > 0 && <MemberLink uid={uid} />}
      {order > 0 && <OrderLink id={order} />}
      {withdrawal > 0 && <WithdrawalLink id={withdrawal} />}
    </>
  );
}

/** What the latest finished reconciliation found, and what was explained. */
export function Reconciliation() {
  const { t, i18n } = useTranslation("verification");
  const columns = [
    column.text("check_name", t("check")),
    column.text("subject", t("subject"), { cell: ({ subject }) => <Subject text={subject} /> }),
    column.text("expected", t("reconcile.expected")),
    column.text("actual", t("reconcile.actual")),
    column.text(i18n.language === "zh" ? "advice_zh" : "advice", t("reconcile.advice")),
    column.custom({
      id: "explain",
      title: t("reconcile.explain.title"),
      isControl: true,
      cell: (finding) => <ExplainButton finding={finding} />,
    }),
  ];
  return (
    <Stack>
      <Text c="dimmed" size="sm" maw={720}>
        {t("reconcile.about")}
      </Text>
      <QueryResult of={useAdmin("/adminapi/hjf/reconcile")}>
        {({ finished_at, findings, list, count, explained }) => {
          if (finished_at === null) return <Text c="dimmed">{t("reconcile.never")}</Text>;
          const Icon = findings === 0 ? CircleCheck : TriangleAlert;
          return (
            <>
              <Alert
                role="status"
                color={findings === 0 ? "green" : "red"}
                icon={<Icon size={18} aria-hidden />}
                title={findings === 0 ? t("reconcile.good") : t("reconcile.bad", { findings: formatCount(findings) })}
              >
                <Time value={finished_at} />
                {count < findings && <div>{t("reconcile.first", { count })}</div>}
              </Alert>
              {count > 0 && (
                <PlainTable
                  label={t("reconcile.title")}
                  columns={columns}
                  rows={list}
                  rowId={(finding) => JSON.stringify(finding)}
                  exportAs="reconciliation"
                />
              )}
              {explained.length > 0 && (
                <Section title={t("reconcile.explained.title")}>
                  <PlainTable
                    label={t("reconcile.explained.title")}
                    columns={[
                      explanation.text("check_name", t("check")),
                      explanation.text("subject", t("subject"), { cell: ({ subject }) => <Subject text={subject} /> }),
                      explanation.text("expected", t("reconcile.expected")),
                      explanation.text("actual", t("reconcile.actual")),
                      explanation.text("reason", t("reconcile.explain.reason")),
                      explanation.actor("explained_by", t("reconcile.explained.by")),
                      explanation.time("explained_at", t("reconcile.explained.at")),
                    ]}
                    rows={explained}
                    rowId={(finding) => JSON.stringify(finding)}
                  />
                </Section>
              )}
            </>
          );
        }}
      </QueryResult>
    </Stack>
  );
}
