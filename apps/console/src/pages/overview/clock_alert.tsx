import { Alert, Code, Text } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";

/** Says that the clock of the database may be wrong, and what to do. */
export function ClockAlert({ state }: { state: Admin["Overview"]["clock"] }) {
  const { t } = useTranslation("overview");
  if (state === "ok") return null;
  return (
    <Alert color="red" role="alert" icon={<TriangleAlert aria-hidden />} title={t(`clock.${state}.title`)}>
      <Text size="sm">{t(`clock.${state}.mend`)}</Text>
      {state === "doubtful" && (
        <Code block mt="xs">
          select app.confirm_clock();
        </Code>
      )}
    </Alert>
  );
}
