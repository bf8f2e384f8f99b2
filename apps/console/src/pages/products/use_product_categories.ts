import { useAdmin } from "../../store/store.ts";

/** The categories of products in their sequence, as choices. */
export function useProductCategories(): { value: string; label: string }[] {
  const { list = [] } = useAdmin("/adminapi/product_category").data ?? {};
  return list.map(({ id, title }) => ({ value: String(id), label: title }));
}
