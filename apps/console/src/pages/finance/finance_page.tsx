import { Alert } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { useAdmin } from "../../store/store.ts";
import { Exports } from "./exports.tsx";
import { Liabilities } from "./liabilities.tsx";
import { Months } from "./months.tsx";
import { TaxExports } from "./tax_exports.tsx";

/**
 * What the store owes, files for the accounts, and the closing of months. Only for administrators with the area money.
 */
export function Component() {
  const { t } = useTranslation("finance");
  const me = useAdmin("/adminapi/me");
  return (
    <Page title={t("title")} about={t("about")}>
      <QueryResult of={me}>
        {({ areas }) =>
          areas.includes("money") ? (
            <Months>
              <Liabilities />
              <Exports />
              <TaxExports />
            </Months>
          ) : (
            <Alert color="gray" role="status">
              {t("notAllowed")}
            </Alert>
          )
        }
      </QueryResult>
    </Page>
  );
}
