import { Alert, Button, Code, Text } from "@mantine/core";
import { CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../../shared/failure.ts";

interface FailureAlertProps {
  error: unknown;
  onRetry?: () => void;
  /** Whether the surrounding form shows field errors beside its fields. The alert then only refers to them. */
  marksFields?: boolean;
}

/** Shows an error and what to do next. Renders nothing if `error` is null. */
export function FailureAlert({ error, onRetry, marksFields }: FailureAlertProps) {
  const { t } = useTranslation("common");
  if (!error) return null;
  const { title, detail, code, requestId, passing, fields } = failureOf(error);
  if (marksFields && Object.keys(fields).length > 0) {
    return <Alert color="red" role="alert" icon={<CircleAlert size={18} aria-hidden />} title={t("invalid.fields")} />;
  }
  return (
    <Alert color="red" role="alert" title={title} icon={<CircleAlert size={18} aria-hidden />}>
      <Text size="sm">{detail}</Text>
      {requestId && (
        <Text size="xs" c="dimmed" mt={4}>
          <Code>{code}</Code> {requestId}
        </Text>
      )}
      {onRetry && passing && (
        <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
          {t("tryAgain")}
        </Button>
      )}
    </Alert>
  );
}
