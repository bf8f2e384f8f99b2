import { Alert, Button, Group, Text } from "@mantine/core";
import { History } from "lucide-react";
import { useTranslation } from "react-i18next";

/** Announces that unsaved input of an earlier visit is shown. A button discards it. */
export function RestoredNotice({
  draft: { isRestored, discard },
}: {
  draft: { isRestored: boolean; discard: () => void };
}) {
  const { t } = useTranslation("common");
  if (!isRestored) return null;
  return (
    <Alert color="blue" role="status" icon={<History size={18} aria-hidden />}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{t("restored")}</Text>
        <Button size="xs" variant="default" onClick={discard}>
          {t("discard")}
        </Button>
      </Group>
    </Alert>
  );
}
