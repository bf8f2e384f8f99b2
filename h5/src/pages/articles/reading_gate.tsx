import { useQuery } from "@tanstack/react-query";
import { Button } from "antd-mobile";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { answerOf } from "../../../../client/index.ts";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { useStore } from "../../store/store.tsx";
import { ArticleText } from "./article_text.tsx";

/** An article is read once in a visit, and not again for each of the two forms. */
let isRead = false;

/** Shows the article that the store asks a visitor to read before signing in, then the form. Without an article, the form at once. */
export function ReadingGate({ back, children }: { back: string; children: ReactNode }) {
  const { t } = useTranslation("articles");
  const api = useStore();
  const [passed, setPassed] = useState(isRead);
  // "None" is an answer here, but not one that a query can keep as its data; so it is wrapped.
  const gate = useQuery({
    queryKey: ["sign-in gate"],
    queryFn: async () => ({ article: await answerOf(api.GET("/api/sign/required_article")) }),
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
      foot={gate.data && <Button block color="primary" size="large" shape="rounded" onClick={pass}>{t("continue")}</Button>}
    >
      <QueryResult of={gate} rows={8}>{({ article }) => article && <ArticleText article={article} />}</QueryResult>
    </Page>
  );
}
