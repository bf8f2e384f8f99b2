import { Button, Group, Progress, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatCount } from "./figures.tsx";
import type { RunningExport } from "./use_export.ts";

/** How far an export has come, in place of what starts it. */
export function ExportProgress({ of: { done, count }, onStop }: { of: RunningExport; onStop: () => void }) {
  const { t } = useTranslation("common");
  return (
    <Group gap="xs" role="status">
      <Progress value={(done / Math.max(count, 1)) * 100} w={120} aria-label={t("export.running")} />
      <Text size="sm" className="figures">
        {t("export.reading", { done: formatCount(done), all: formatCount(count) })}
      </Text>
      <Button size="compact-sm" variant="default" onClick={onStop}>
        {t("export.stop")}
      </Button>
    </Group>
  );
}
