import type { Admin } from "../../../../client/index.ts";
import { useAdmin } from "../../store/store.tsx";

const noCategories: Admin["ArticleCategory"][] = [];

/** The categories, newest first; at most a hundred, which is more than a select can be read through. */
export function useCategories(): Admin["ArticleCategory"][] {
  return useAdmin().useQuery("get", "/adminapi/article_category", { params: { query: { limit: 100 } } }).data?.list ?? noCategories;
}
