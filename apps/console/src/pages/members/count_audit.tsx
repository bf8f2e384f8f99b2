import { Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { Count } from "../../components/figures.tsx";
import { MemberLink } from "../../components/links.tsx";
import { taskTypes } from "../../store/enumerations.ts";
import { useAdmin } from "../../store/store.ts";
import { Tag } from "../../components/tag.tsx";

const column = columnsOf<Admin["CountAudit"]["orders"][number]>();

const asList = (audit: Admin["CountAudit"]) => ({ ...audit, list: audit.orders, count: audit.orders.length });

/** The orders and members behind a member's task counts, and the excluded ones with the reason. */
export function CountAudit({ uid }: { uid: number }) {
  const { t, i18n } = useTranslation(["members", "words"]);
  const result = useAdmin("/adminapi/hjf/member/{uid}/count_audit", { params: { path: { uid } } }, { select: asList });
  const reasonInWords = (reason: string | null) =>
    reason && i18n.exists(`words:notCounted.${reason}`)
      ? t(`words:notCounted.${reason}` as "words:notCounted.refunded")
      : reason;
  const columns = [
    column.order("order_id", t("words:order")),
    column.member("uid", t("words:member"), {
      cell: (order) => (
        <Group gap={6} wrap="nowrap">
          <MemberLink uid={order.uid} nickname={order.nickname} />
          {order.is_direct && (
            <Tag variant="default" size="sm">
              {t("audit.direct")}
            </Tag>
          )}
        </Group>
      ),
    }),
    column.tag("counted", t("audit.counted"), ({ counted, reason }) =>
      counted ? [t("audit.yes"), "green"] : [reasonInWords(reason) ?? "", "orange"],
    ),
  ];
  return (
    <QueryResult of={result}>
      {({ counted, left_out, level_is_held }) => (
        <Stack>
          <Text c="dimmed" size="sm">
            {t("audit.about")}
          </Text>
          {level_is_held && <Text size="sm">{t("next.held")}</Text>}
          <DescriptionList
            items={[
              ...taskTypes
                .filter((type) => counted[type] !== undefined)
                .map((type): [string, React.ReactNode] => [
                  t(`words:task.${type}`),
                  <Count key={type} value={counted[type]} />,
                ]),
              ...Object.entries(left_out).map(([reason, count]): [string, React.ReactNode] => [
                `${t("audit.leftOut")}: ${t(`words:notCounted.${reason as "refunded"}`)}`,
                <Count key={reason} value={count} />,
              ]),
            ]}
          />
          <DataTable
            name="count audit"
            label={t("tabs.audit")}
            columns={columns}
            rowId={({ order_id }) => order_id}
            list={{ result }}
            empty={t("audit.empty")}
          />
        </Stack>
      )}
    </QueryResult>
  );
}
