import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";

/** An account, its number masked. */
export function AccountText({ account: { method, holder, account_no, bank } }: { account: Api["Account"] }) {
  const { t } = useTranslation("withdrawals");
  return (
    <span className="address">
      <span className="address-who">
        <strong>{bank ?? t(`method.${method}`)}</strong> <span className="figures">{account_no}</span>
      </span>
      <span>{holder}</span>
    </span>
  );
}
