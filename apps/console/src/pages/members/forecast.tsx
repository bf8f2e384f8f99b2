import { Text } from "@mantine/core";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { Points } from "../../components/figures.tsx";
import { formatDuration } from "../../../../shared/duration.ts";
import { useAdmin } from "../../store/store.ts";

/** The future release of the points that are frozen now, in a line. It has its height before it is known. */
export function Forecast({ uid }: { uid: number }) {
  const { t } = useTranslation("members");
  const { data, error, refetch } = useAdmin("/adminapi/hjf/points/forecast", { params: { query: { uid } } });
  return (
    <div className="forecast">
      <FailureAlert error={error} onRetry={() => void refetch()} />
      {data && (
        <>
          <Text size="sm">
            {t("forecast.title")}
            {data.forecast.map(({ days, release_points }) => (
              <Fragment key={days}>
                {" · "}
                <span className="one-line">
                  {t("forecast.within", { duration: formatDuration(days) })} <Points value={release_points} />
                </span>
              </Fragment>
            ))}
          </Text>
          <Text size="sm" c="dimmed">
            {t("forecast.half", { duration: formatDuration(data.half_released_after_days) })}
          </Text>
        </>
      )}
    </div>
  );
}
