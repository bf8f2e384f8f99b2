import { Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { TextLink } from "../../components/links.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { DownloadButton, fileFormats } from "../../components/download_button.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { Currency, Points } from "../../components/figures.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { DayFilter, FilterBar } from "../../components/filter_bar.tsx";
import { useListState } from "../../components/list_state.ts";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { useStoreDays } from "../../components/store_day.ts";
import { useFormatTime } from "../../components/time.tsx";
import { formatDuration } from "../../../../shared/duration.ts";
import { useAdmin, useStore } from "../../store/store.ts";

type Liabilities = Admin["Liabilities"];

const column = columnsOf<Liabilities["matures"][number]>();
const paths = { csv: "/adminapi/export/liabilities", xlsx: "/adminapi/export/liabilities/xlsx" } as const;

function Owed({
  of: {
    as_of,
    owed,
    withdrawable,
    held_by_refunds,
    maturing,
    reserved,
    left,
    debts_covered,
    debts_uncovered,
    members_in_debt,
    tax,
  },
  query,
  day,
}: {
  of: Liabilities;
  query: { as_of?: string };
  day: string;
}) {
  const { t } = useTranslation("finance");
  const format = useFormatTime();
  const { admin } = useStore();
  return (
    <Section title={t("owed.title")} about={t("owed.about", { time: format(as_of) })}>
      <Stack gap="sm">
        <DescriptionList
          items={[
            [t("owed.all"), <Currency key="all" value={owed} />],
            [t("owed.withdrawable"), <Currency key="withdrawable" value={withdrawable} />],
            [t("owed.held"), <Currency key="held" value={held_by_refunds} />],
            [t("owed.maturing"), <Currency key="maturing" value={maturing} />],
            [t("owed.reserved"), <Currency key="reserved" value={reserved} />],
            [t("owed.left"), <Currency key="left" value={left.commission} />],
            [t("owed.covered"), <Currency key="covered" value={debts_covered} />],
            [t("owed.uncovered"), <Currency key="uncovered" value={debts_uncovered} />],
            [t("owed.tax", { month: tax.month }), <Currency key="tax" value={tax.withheld} />],
            [t("owed.taxBefore"), <Currency key="tax before" value={tax.withheld_last_month} />],
          ]}
        />
        {left.members > 0 && <Text size="sm">{t("owed.leftMembers", { count: left.members })}</Text>}
        {members_in_debt > 0 && (
          <Text size="sm">
            {t("owed.debtors", { count: members_in_debt })} <TextLink to="/debts">{t("owed.show")}</TextLink>
          </Text>
        )}
        <Group>
          {fileFormats.map((format) => (
            <DownloadButton
              key={format}
              label={t(`owed.download.${format}`)}
              name={`liabilities${day && `_${day}`}.${format}`}
              request={(signal) => admin.GET(paths[format], { params: { query }, parseAs: "stream", signal })}
            />
          ))}
        </Group>
      </Stack>
    </Section>
  );
}

/** The commission that matures, by day. What waits for the receipt of its order has no day. */
function Maturing({ of: { matures, maturing_after_receipt } }: { of: Liabilities }) {
  const { t } = useTranslation("finance");
  const columns = [column.day("date", t("matures.date")), column.money("amount", t("matures.amount"))];
  return (
    <Section title={t("matures.title")}>
      <Stack gap="sm">
        <PlainTable
          label={t("matures.title")}
          columns={columns}
          rows={matures}
          rowId={({ date }) => date}
          empty={t("matures.empty")}
          exportAs="maturing commission"
          maxHeight={440}
        />
        <DescriptionList
          items={[[t("matures.afterReceipt"), <Currency key="after" value={maturing_after_receipt} />]]}
        />
      </Stack>
    </Section>
  );
}

function PointsOutstanding({
  of: {
    left,
    points: { frozen, available, negative, members_below_zero, release },
  },
}: {
  of: Liabilities;
}) {
  const { t } = useTranslation(["finance", "words"]);
  return (
    <Section title={t("points.title")} about={t("points.about")}>
      <Stack gap="sm">
        <DescriptionList
          items={[
            [t("words:frozenPoints"), <Points key="frozen" value={frozen} />],
            [t("words:availablePoints"), <Points key="available" value={available} />],
            [t("points.left"), <Points key="left" value={left.frozen_points + left.available_points} />],
          ]}
        />
        {members_below_zero > 0 && (
          <Text size="sm">
            {t("points.negative", { count: members_below_zero })} <Points value={negative} />
          </Text>
        )}
        <DescriptionList
          items={release.forecast.map(({ days, release_points }) => [
            t("points.within", { duration: formatDuration(days) }),
            <Points key={days} value={release_points} />,
          ])}
        />
        <Text size="sm" c="dimmed">
          {t("points.half", { duration: formatDuration(release.half_released_after_days) })}
        </Text>
      </Stack>
    </Section>
  );
}

/** What the store owes its members now and later, or owed them at the end of a day. */
export function Liabilities() {
  const { t } = useTranslation("finance");
  const state = useListState();
  const until = useStoreDays("", state.get("until"))?.to;
  const query = until === undefined ? {} : { as_of: until };
  const result = useAdmin("/adminapi/liabilities", { params: { query } });
  return (
    <>
      <FilterBar of={{ state, names: ["until"] }}>
        <DayFilter name="until" label={t("owed.until")} />
      </FilterBar>
      <QueryResult of={result} lines={8}>
        {(liabilities) => (
          <>
            <Owed of={liabilities} query={query} day={state.get("until")} />
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <Maturing of={liabilities} />
              <PointsOutstanding of={liabilities} />
            </SimpleGrid>
          </>
        )}
      </QueryResult>
    </>
  );
}
