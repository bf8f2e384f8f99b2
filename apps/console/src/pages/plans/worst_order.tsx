import { Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { type Admin, unwrap } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { formatMoney, Money, Points, Share } from "../../components/figures.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { Section } from "../../components/section.tsx";
import { useStore } from "../../store/store.ts";
import { ReachNote } from "./reach_note.tsx";
import type { SimulatedDraft } from "./simulation.tsx";

const column = columnsOf<Admin["CommissionPlanPreview"]["cycle"][number]>();
const typingPause = 300;

/**
 * Asks the store about a draft while it is edited: what the most expensive order would cost, or why the draft is
 * invalid.
 */
export function useWorstOrder(
  { plan, levels }: SimulatedDraft,
  isComplete: boolean,
): UseQueryResult<Admin["CommissionPlanPreview"], unknown> {
  const { admin } = useStore();
  const text = JSON.stringify({ plan, levels });
  // oxlint-disable-next-line react/exhaustive-deps -- a draft is a new object on each render, and unchanged while its text is unchanged
  const draft = useMemo(() => ({ plan, levels }), [text]);
  const [asked] = useDebouncedValue(draft, typingPause);
  return useQuery<Admin["CommissionPlanPreview"], unknown>({
    queryKey: ["plan preview", asked],
    queryFn: () =>
      unwrap(
        admin.POST("/adminapi/hjf/brokerage/config/preview", {
          body: { ...(asked.plan && { plan: asked.plan }), ...(asked.levels && { levels: asked.levels }) },
        }),
      ),
    placeholderData: keepPreviousData,
    enabled: isComplete,
  });
}

/**
 * What the most expensive order would cost under a draft, or why the draft is invalid.
 * @param result of `useWorstOrder`
 */
export function WorstOrder({ result, isComplete }: { result: ReturnType<typeof useWorstOrder>; isComplete: boolean }) {
  const { t } = useTranslation(["plans", "words"]);
  const columns = [
    column.number("place", t("words:place")),
    column.share("ratio", t("words:ratio")),
    column.money("commission", t("words:commission")),
  ];

  return (
    <Section title={t("worst.title")}>
      <div aria-live="polite" aria-busy={result.isFetching}>
        {!isComplete ? (
          <Text>{t("incomplete")}</Text>
        ) : (
          <QueryResult of={result}>
            {(worst) => (
              <Stack>
                <ReachNote reach={worst.reach} />
                {worst.payout_share === null ? (
                  <Text>{t("worst.noGoods")}</Text>
                ) : (
                  <>
                    <Text size="sm" c="dimmed">
                      {t("worst.about", { price: formatMoney(worst.price) })}
                    </Text>
                    <DescriptionList
                      items={[
                        [t("worst.money"), <Money key="money" value={worst.commission} />],
                        [t("worst.share"), <Share key="share" value={worst.payout_share} />],
                        [t("worst.cyclePoints"), <Points key="cycle" value={worst.commission_points} />],
                        [t("worst.levelPoints"), <Points key="level" value={worst.level_points} />],
                        [t("worst.points"), <Points key="points" value={worst.points} />],
                        [t("worst.cycleShare"), <Share key="cycleShare" value={worst.cycle_share} />],
                      ]}
                    />
                    <PlainTable
                      label={t("worst.cycle")}
                      columns={columns}
                      rows={worst.cycle}
                      rowId={({ place }) => place}
                      maxHeight={240}
                    />
                  </>
                )}
              </Stack>
            )}
          </QueryResult>
        )}
      </div>
    </Section>
  );
}
