import { Alert, Button, Code, Text } from "@mantine/core";
import { CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../store/failure.ts";

interface FailureAlertProps {
  error: unknown;
  onRetry?: () => void;
  /** Whether the form around it shows beside its fields what is wrong with them; then only that is pointed to. */
  marksFields?: boolean;
}

/** What went wrong, and what can be done about it. Nothing while `error` is null. */
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
      {code && <Text size="xs" c="dimmed" mt={4}><Code>{code}</Code> {requestId}</Text>}
      {onRetry && passing && <Button mt="sm" size="xs" variant="default" onClick={onRetry}>{t("tryAgain")}</Button>}
    </Alert>
  );
}
