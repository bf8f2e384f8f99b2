import { Alert, Stack, Text } from "@mantine/core";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { formatCount } from "../../components/figures.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Time } from "../../components/time.tsx";
import { useAdmin } from "../../store/store.ts";

const column = columnsOf<Admin["ReconcileFinding"]>();

/** What the latest finished reconciliation found. */
export function Reconciliation() {
  const { t } = useTranslation("verification");
  const columns = [
    column.text("check_name", t("check")),
    column.text("subject", t("subject")),
    column.text("expected", t("reconcile.expected")),
    column.text("actual", t("reconcile.actual")),
  ];
  return (
    <Stack>
      <Text c="dimmed" size="sm" maw={720}>
        {t("reconcile.about")}
      </Text>
      <QueryResult of={useAdmin("/adminapi/hjf/reconcile")}>
        {({ finished_at, findings, list, count }) => {
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
            </>
          );
        }}
      </QueryResult>
    </Stack>
  );
}
