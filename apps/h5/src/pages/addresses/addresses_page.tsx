import { Pencil } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Empty } from "../../components/empty.tsx";
import { EntryRow } from "../../components/entry.tsx";
import { IconLink } from "../../components/icon_button.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { LinkButton } from "../../components/link_button.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Tag } from "../../components/tag.tsx";
import "../../i18n/later.ts";
import { useApi } from "../../store/store.ts";
import { AddressText } from "./address_text.tsx";

export function Component() {
  const { t } = useTranslation("addresses");
  const addresses = useApi("/api/address");
  return (
    <Page
      title={t("title")}
      back="/me"
      foot={
        <LinkButton wide to="/addresses/new">
          {t("add")}
        </LinkButton>
      }
    >
      <QueryResult of={addresses}>
        {(list) =>
          list.length === 0 ? (
            <Empty text={t("empty")} />
          ) : (
            <ul className={layout.stack} aria-label={t("title")}>
              {list.map((address) => (
                <EntryRow
                  key={address.id}
                  action={
                    <IconLink
                      to={`/addresses/${address.id}`}
                      label={t("edit", { name: address.name })}
                      icon={Pencil}
                      size={18}
                    />
                  }
                >
                  <AddressText address={address} />
                  {address.is_default && <Tag look="brand">{t("default")}</Tag>}
                </EntryRow>
              ))}
            </ul>
          )
        }
      </QueryResult>
    </Page>
  );
}
