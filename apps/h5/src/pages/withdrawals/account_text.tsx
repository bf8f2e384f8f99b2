import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { EntryText } from "../../components/entry.tsx";

/** An account, its number masked. */
export function AccountText({ account: { method, holder, account_no, bank } }: { account: Api["Account"] }) {
  const { t } = useTranslation("withdrawals");
  return (
    <EntryText name={bank ?? t(`method.${method}`)} number={account_no}>
      {holder}
    </EntryText>
  );
}
