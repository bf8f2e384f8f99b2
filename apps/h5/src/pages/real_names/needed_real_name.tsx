import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { formatMoney } from "../../components/figures.tsx";
import { LinkButton } from "../../components/link_button.tsx";
import { NoticeBox } from "../../components/notice_box.tsx";
import "../../i18n/later.ts";

/** Says that the store needs the real name of the member for this amount, and leads to where they give it. */
export function NeededRealName({
  missing: { amount_from, state },
}: {
  missing: NonNullable<Api["WithdrawalTerms"]["real_name"]>;
}) {
  const { t } = useTranslation("real_names");
  return (
    <NoticeBox role="status">
      <p>{t(`needed.${state}`, { amount: formatMoney(amount_from) })}</p>
      {state !== "given" && (
        <LinkButton to={`/real-name?to=${encodeURIComponent("/withdrawals/new")}`}>{t("needed.give")}</LinkButton>
      )}
    </NoticeBox>
  );
}
