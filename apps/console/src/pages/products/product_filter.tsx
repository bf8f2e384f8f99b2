import { useTranslation } from "react-i18next";
import { ChoiceFilter } from "../../components/filter_bar.tsx";
import { useAdmin } from "../../store/store.ts";

/** A filter of orders by one of the newest products. */
export function ProductFilter() {
  const { t } = useTranslation("shipping");
  const products = useAdmin("/adminapi/product", { params: { query: { limit: 100 } } }).data?.list ?? [];
  return (
    <ChoiceFilter
      name="product_id"
      label={t("product")}
      width={220}
      choices={products.map(({ id, title }) => ({ value: String(id), label: title }))}
    />
  );
}
