import { Group, Select, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { DownloadButton, fileFormats } from "../../components/download_button.tsx";
import { useListState } from "../../components/list_state.ts";
import { Section } from "../../components/section.tsx";
import { todayIn } from "../../components/store_day.ts";
import { useStoreZone } from "../../components/store_zone.ts";
import { useStore } from "../../store/store.ts";

const paths = { csv: "/adminapi/export/tax", xlsx: "/adminapi/export/tax/xlsx" } as const;

/** How many quarters can be chosen: five years, as long as records are asked for. */
const offered = 20;

/** The quarters up to that of a day, the newest first. */
function quartersUntil(day: string): string[] {
  const last = Number(day.slice(0, 4)) * 4 + Math.floor((Number(day.slice(5, 7)) - 1) / 3);
  return Array.from({ length: offered }, (_, back) => `${Math.floor((last - back) / 4)}-Q${((last - back) % 4) + 1}`);
}

/** The tax of payouts of a quarter by member, as files. */
export function TaxExports() {
  const { t } = useTranslation("finance");
  const { admin } = useStore();
  const state = useListState();
  const zone = useStoreZone();
  const [openedAt] = useState(() => Date.now());
  if (zone === undefined) return null;
  const quarters = quartersUntil(todayIn(zone, openedAt));
  const quarter = quarters.find((each) => each === state.get("quarter")) ?? quarters[0]!;
  return (
    <Section title={t("exports.taxTitle")} about={t("exports.aboutTax")}>
      <Stack gap="sm">
        <Select
          label={t("exports.quarter")}
          data={quarters}
          value={quarter}
          onChange={(chosen) => state.set({ quarter: chosen ?? "" })}
          allowDeselect={false}
          w={160}
        />
        <Group>
          {fileFormats.map((format) => (
            <DownloadButton
              key={`${quarter} ${format}`}
              label={t(`exports.tax.${format}`)}
              name={`tax_${quarter}.${format}`}
              request={(signal) =>
                admin.GET(paths[format], { params: { query: { quarter } }, parseAs: "stream", signal })
              }
            />
          ))}
        </Group>
      </Stack>
    </Section>
  );
}
