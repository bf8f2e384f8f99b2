import { useTranslation } from "react-i18next";
import { Failure } from "../components/failure.tsx";
import type { Refusal } from "./session.ts";

/** Why signing in or up was refused, and what to do. */
export function RefusalBox({ refusal }: { refusal: Refusal | undefined }) {
  const { t } = useTranslation("session");
  if (!refusal) return null;
  return <Failure title={t(`refused.${refusal}.title`)}><p>{t(`refused.${refusal}.advice`)}</p></Failure>;
}
