import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormatTime } from "./time.tsx";

/** Says until when the rows of a list are archived, and so missing from it. */
export function ArchivedNote({ until }: { until: string | null | undefined }) {
  const { t } = useTranslation("words");
  const format = useFormatTime();
  if (!until) return null;
  return (
    <Text size="sm" c="dimmed">
      {t("archivedUntil", { time: format(until) })}
    </Text>
  );
}
