import { useTranslation } from "react-i18next";
import { Failure } from "../components/failure.tsx";
import type { SessionFailure } from "./session.ts";

/** Why signing in or up failed, and what to do. */
export function AuthFailureBox({ failure }: { failure: SessionFailure | undefined }) {
  const { t } = useTranslation("session");
  if (!failure) return null;
  return (
    <Failure title={t(`failed.${failure}.title`)}>
      <p>{t(`failed.${failure}.advice`)}</p>
    </Failure>
  );
}
