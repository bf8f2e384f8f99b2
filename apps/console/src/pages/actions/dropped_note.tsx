import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormatTime } from "../../components/time.tsx";

/** Says until when actions were exported and dropped, and so are missing from a list. */
export function DroppedNote({ until }: { until: string | null | undefined }) {
  const { t } = useTranslation("actions");
  const format = useFormatTime();
  if (!until) return null;
  return (
    <Text size="sm" c="dimmed">
      {t("droppedUntil", { time: format(until) })}
    </Text>
  );
}
