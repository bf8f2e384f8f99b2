import DOMPurify, { type Config } from "dompurify";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { articleHtml } from "../../../../web/article_html.ts";
import { classes } from "../../components/classes.ts";
import layout from "../../components/layout.module.css";
import styles from "./article_text.module.css";

/** The allowed elements of an article: text and pictures. Scripts, forms and styles are removed. */
const allowed: Config = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: ["style", "form", "input", "button", "textarea", "select", "dialog", "video", "audio", "h1"],
  FORBID_ATTR: ["style", "class", "id", "name", "tabindex", "hidden"],
};

/** The content as HTML whose links open in a new window. */
function safe(content: string): string {
  const body = document.createElement("div");
  body.append(DOMPurify.sanitize(content, { ...allowed, RETURN_DOM_FRAGMENT: true }));
  for (const link of body.querySelectorAll("a")) {
    link.target = "_blank";
    link.rel = "noopener noreferrer";
  }
  for (const image of body.querySelectorAll("img:not([alt])")) image.setAttribute("alt", "");
  return body.innerHTML;
}

export function ArticleText({ article: { title, author, image_input, synopsis, content, url } }: { article: Api["Article"] }) {
  const { t } = useTranslation("articles");
  const html = useMemo(() => safe(articleHtml(content)), [content]);
  return (
    <article className={classes(layout.card, styles.article)}>
      {image_input && <img src={image_input} alt="" className={styles.picture} />}
      <h2>{title}</h2>
      {author && <p className="weak">{t("by", { author })}</p>}
      {synopsis && synopsis !== title && <p className={styles.synopsis}>{synopsis}</p>}
      <div className={styles.content} dangerouslySetInnerHTML={{ __html: html }} />
      {url && (
        <p>
          <a href={url} target="_blank" rel="noopener noreferrer">
            {t("more")}
          </a>
        </p>
      )}
    </article>
  );
}
