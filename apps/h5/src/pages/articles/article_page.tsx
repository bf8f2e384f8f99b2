import { useTranslation } from "react-i18next";
import { useIdOfPage } from "../../components/id_of_page.ts";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { useApi } from "../../store/store.ts";
import { ArticleText } from "./article_text.tsx";
import { ShareArticle } from "./share_article.tsx";

/** One article, which a share link opens. */
export function Component() {
  const { t } = useTranslation("articles");
  const article = useApi("/api/article/{id}", { params: { path: { id: useIdOfPage() } } });
  return (
    <Page title={t("article")} back="/" action={article.data && <ShareArticle article={article.data} />}>
      <QueryResult of={article} rows={8}>
        {(shown) => <ArticleText article={shown} />}
      </QueryResult>
    </Page>
  );
}
