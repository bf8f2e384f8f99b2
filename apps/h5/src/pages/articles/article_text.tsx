import { useTranslation } from "react-i18next";
import { ArticleText as Text, type ShownArticle } from "../../../../shared/article_text.tsx";
import { classes } from "../../components/classes.ts";
import layout from "../../../../shared/member_styles/layout.module.css";
import richText from "../../../../shared/member_styles/rich_text.module.css";
import styles from "../../../../shared/member_styles/article_text.module.css";

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
