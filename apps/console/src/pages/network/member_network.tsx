import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { DescriptionList } from "../../components/description_list.tsx";
import { Count, Share } from "../../components/figures.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { useFormatTime } from "../../components/time.tsx";
import { useAdmin } from "../../store/store.ts";
import { BranchTree } from "./branch_tree.tsx";
import { DepthChart, DepthTable } from "./depth_table.tsx";

/** Who is below a member, and what their orders have brought, by depth. */
export function MemberNetwork({ uid }: { uid: number }) {
  const { t } = useTranslation("network");
  const format = useFormatTime();
  const result = useAdmin("/adminapi/user/{uid}/network", { params: { path: { uid } } });
  return (
    <Stack>
      <Section title={t("byDepth")} about={`${t("tabAbout")} ${t("counting")}`}>
        <QueryResult of={result}>
          {({ people, depth, own_sales, depths, as_of }) => (
            <Stack gap="sm">
              <DescriptionList
                items={[
                  [t("people"), <Count key="people" value={people} />],
                  [t("size.depth"), <Count key="depth" value={depth} />],
                  [t("ownSales"), <Share key="commission" value={own_sales.commission} />],
                  [t("ownSalesPoints"), <Share key="points" value={own_sales.points} />],
                ]}
              />
              {depths.length === 0 ? (
                <Text size="sm">{t("empty")}</Text>
              ) : (
                <DepthTable label={t("byDepth")} depths={depths} />
              )}
              {depths.some((row) => row.depth === null) && <Text size="sm">{t("elsewhereHint")}</Text>}
              <Text size="sm" c="dimmed">
                {t("asOf", { time: format(as_of) })} {t("factsOnly")}
              </Text>
            </Stack>
          )}
        </QueryResult>
      </Section>
      {result.data && result.data.people > 0 && <DepthChart title={t("memberChart")} depths={result.data.depths} />}
      <BranchTree uid={uid} />
    </Stack>
  );
}
