import { useTranslation } from "react-i18next";
import { useApi } from "../store/store.ts";
import { referrer, referrerCode } from "./referrer.ts";

/**
 * How the member whose share link was opened is called: by name, or, until the store has told it and if it does not, by
 * number.
 */
export function useInviter(): string | undefined {
  const { t } = useTranslation("session");
  const [uid, code] = [referrer(), referrerCode()];
  const asks = uid !== undefined && code !== undefined;
  const inviter = useApi(
    "/api/spread/inviter",
    { params: { query: { uid: uid ?? 0, code: code ?? "" } } },
    { enabled: asks, staleTime: Infinity, retry: false },
  );
  return uid === undefined ? undefined : (inviter.data?.nickname ?? t("memberNumber", { uid }));
}
