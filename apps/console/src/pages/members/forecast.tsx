import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { QueryResult } from "../../components/query_result.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { Points } from "../../components/figures.tsx";
import { Section } from "../../components/section.tsx";
import { formatDuration } from "../../../../shared/duration.ts";
import { useAdmin } from "../../store/store.ts";

/** The future release of the points that are frozen now. */
export function Forecast({ uid }: { uid: number }) {
  const { t } = useTranslation("members");
  const result = useAdmin("/adminapi/hjf/points/forecast", { params: { query: { uid } } });
  return (
    <Section title={t("forecast.title")}>
      <QueryResult of={result}>
        {({ forecast, half_released_after_days }) => (
          <>
            <DescriptionList
              items={forecast.map(({ days, release_points }) => [
                t("forecast.within", { duration: formatDuration(days) }),
                <Points key={days} value={release_points} />,
              ])}
            />
            <Text size="sm" c="dimmed" mt="sm">
              {t("forecast.half", { duration: formatDuration(half_released_after_days) })}
            </Text>
          </>
        )}
      </QueryResult>
    </Section>
  );
}
