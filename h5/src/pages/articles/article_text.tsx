import { useTranslation } from "react-i18next";
import { ArticleText as Text, type ShownArticle } from "../../../../web/article_text.tsx";
import { classes } from "../../components/classes.ts";
import layout from "../../components/layout.module.css";
import richText from "../../components/rich_text.module.css";
import styles from "./article_text.module.css";

export function ArticleText({ article }: { article: ShownArticle }) {
  const { t } = useTranslation("articles");
  return (
    <Text
      article={article}
      words={{ by: t("by", { author: article.author }), more: t("more") }}
      classes={{
        article: classes(layout.card, styles.article),
        picture: styles.picture,
        synopsis: styles.synopsis,
        content: classes(richText.content, styles.content),
      }}
    />
  );
}
