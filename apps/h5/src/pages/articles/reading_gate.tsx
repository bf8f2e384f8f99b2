import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { unwrap } from "../../../../client/index.ts";
import { Button } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { useStore } from "../../store/store.ts";
import { ArticleText } from "./article_text.tsx";
import { ShareArticle } from "./share_article.tsx";

/** The article is shown once per visit, not again for each of the two forms. */
let isRead = false;

/** Shows the article of the sign-in gate, then the form. Without an article, it shows the form immediately. */
export function ReadingGate({ back, children }: { back: string; children: ReactNode }) {
  const { t } = useTranslation("articles");
  const api = useStore();
  const [passed, setPassed] = useState(isRead);
  // The response may be null, which a query cannot store as its data, so it is wrapped.
  const gate = useQuery({
    queryKey: ["sign-in gate"],
    queryFn: async () => ({ article: await unwrap(api.GET("/api/sign/required_article")) }),
    staleTime: Infinity,
    enabled: !passed,
  });
  if (passed || gate.data?.article === null) return children;
  const pass = () => {
    isRead = true;
    setPassed(true);
    scrollTo(0, 0);
  };
  return (
    <Page
      title={t("title")}
      back={back}
      action={gate.data?.article && <ShareArticle article={gate.data.article} />}
      foot={
        gate.data && (
          <Button block color="primary" size="large" shape="rounded" onClick={pass}>
            {t("continue")}
          </Button>
        )
      }
    >
      <QueryResult of={gate} rows={8}>
        {({ article }) => article && <ArticleText article={article} />}
      </QueryResult>
    </Page>
  );
}
