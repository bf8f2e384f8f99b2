import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { ConfirmSheet } from "../../components/confirm_sheet.tsx";
import { Empty } from "../../components/empty.tsx";
import { EntryRow } from "../../components/entry.tsx";
import { IconButton } from "../../components/icon_button.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { LinkButton } from "../../components/link_button.tsx";
import { notify } from "../../components/notices.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { useApi, useStore } from "../../store/store.ts";
import { AccountText } from "./account_text.tsx";
import "../../i18n/later.ts";

function AccountRow({ account }: { account: Api["Account"] }) {
  const { t } = useTranslation("withdrawals");
  const api = useStore();
  const [isDeleting, setDeleting] = useState(false);
  const remove = useAction((id: number, key) => api.DELETE("/api/account/{id}", { params: { path: { id } }, ...key }));
  return (
    <EntryRow
      action={
        <>
          <IconButton
            label={t("account.deleteOf", { account: account.account_no })}
            icon={Trash2}
            size={18}
            onClick={() => setDeleting(true)}
          />
          {isDeleting && (
            <ConfirmSheet
              title={t("account.delete.title")}
              text={t("account.delete.text")}
              action={t("account.delete.action")}
              isDanger
              isPending={remove.isPending}
              error={remove.error}
              onClose={() => setDeleting(false)}
              onConfirm={() => remove.mutate(account.id, { onSuccess: () => notify(t("account.delete.done")) })}
            />
          )}
        </>
      }
    >
      <AccountText account={account} />
    </EntryRow>
  );
}

/** The accounts to which the member withdraws. */
export function Component() {
  const { t } = useTranslation("withdrawals");
  const accounts = useApi("/api/account");
  return (
    <Page
      title={t("account.title")}
      back="/withdrawals"
      foot={
        <LinkButton wide to="/accounts/new">
          {t("account.add")}
        </LinkButton>
      }
    >
      <QueryResult of={accounts}>
        {(list) =>
          list.length === 0 ? (
            <Empty text={t("account.empty")} />
          ) : (
            <ul className={layout.stack} aria-label={t("account.title")}>
              {list.map((account) => (
                <AccountRow key={account.id} account={account} />
              ))}
            </ul>
          )
        }
      </QueryResult>
    </Page>
  );
}
