import { Alert } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SessionFailure } from "./auth.ts";

/** Why a sign-in failed or a password was not changed, and what to do. */
export function SessionFailureAlert({ failure }: { failure: SessionFailure | undefined }) {
  const { t } = useTranslation("session");
  return (
    failure && (
      <Alert color="red" role="alert" title={t(`failed.${failure}.title`)}>
        {t(`failed.${failure}.advice`)}
      </Alert>
    )
  );
}
