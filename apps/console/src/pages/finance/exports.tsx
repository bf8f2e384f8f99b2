import { Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { DownloadButton, fileFormats } from "../../components/download_button.tsx";
import { DayRangeFilter } from "../../components/day_range_filter.tsx";
import { FilterBar } from "../../components/filter_bar.tsx";
import { useListState } from "../../components/list_state.ts";
import { Section } from "../../components/section.tsx";
import { useStoreDays } from "../../components/store_day.ts";
import { useStore } from "../../store/store.ts";

const names = ["from", "to"];
const paths = {
  bill: { csv: "/adminapi/export/bill", xlsx: "/adminapi/export/bill/xlsx" },
  withdrawals: { csv: "/adminapi/export/withdrawals", xlsx: "/adminapi/export/withdrawals/xlsx" },
} as const;

/** The bill and the withdrawals of a period as files, which the store writes while they are downloaded. */
export function Exports() {
  const { t } = useTranslation("finance");
  const { admin } = useStore();
  const state = useListState();
  const days = useStoreDays(state.get("from"), state.get("to"));
  const period = [state.get("from"), state.get("to")].filter((day) => day !== "").join("_") || "all";
  return (
    <Section title={t("exports.title")} about={t("exports.about")}>
      <Stack gap="sm">
        <FilterBar of={{ state, names }} isForm>
          <DayRangeFilter label={t("exports.days")} />
        </FilterBar>
        {days !== undefined && (
          <Group>
            {(["bill", "withdrawals"] as const).flatMap((kind) =>
              fileFormats.map((format) => (
                <DownloadButton
                  key={`${kind} ${format}`}
                  label={t(`exports.${kind}.${format}`)}
                  name={`${kind}_${period}.${format}`}
                  request={(signal) =>
                    admin.GET(paths[kind][format], { params: { query: days }, parseAs: "stream", signal })
                  }
                />
              )),
            )}
          </Group>
        )}
        <Text size="sm" c="dimmed">
          {t("exports.advice")}
        </Text>
      </Stack>
    </Section>
  );
}
