import { Pencil } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Empty } from "../../components/empty.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { useApi } from "../../store/store.tsx";
import { AddressText } from "./address_text.tsx";

export function Component() {
  const { t } = useTranslation("addresses");
  const addresses = useApi().useQuery("get", "/api/address");
  return (
    <Page
      title={t("title")}
      back="/me"
      foot={
        <Link className="link-button wide" to="/addresses/new">
          {t("add")}
        </Link>
      }
    >
      <QueryResult of={addresses}>
        {(list) =>
          list.length === 0 ? (
            <Empty text={t("empty")} />
          ) : (
            <ul className="list" aria-label={t("title")}>
              {list.map((address) => (
                <li key={address.id} className="card address-row">
                  <span className="grow">
                    <AddressText address={address} />
                    {address.is_default && <span className="tag brand">{t("default")}</span>}
                  </span>
                  <Link to={`/addresses/${address.id}`} className="icon-button" aria-label={t("edit", { name: address.name })}>
                    <Pencil size={18} aria-hidden />
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </QueryResult>
    </Page>
  );
}
