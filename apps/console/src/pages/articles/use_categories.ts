import type { Admin } from "../../../../client/index.ts";
import { useAdmin } from "../../store/store.ts";

const noCategories: Admin["ArticleCategory"][] = [];

/** The categories, newest first, at most 100. */
export function useCategories(): Admin["ArticleCategory"][] {
  return useAdmin("/adminapi/article_category", { params: { query: { limit: 100 } } }).data?.list ?? noCategories;
}
