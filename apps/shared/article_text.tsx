import type { Api } from "../client/index.ts";
import { RichText } from "./rich_text.tsx";

export type ShownArticle = Pick<Api["Article"], "title" | "author" | "image_input" | "synopsis" | "content" | "url">;

interface ArticleTextProps {
  article: ShownArticle;
  words: { by: string; more: string };
  classes: {
    article: string | undefined;
    picture: string | undefined;
    synopsis: string | undefined;
    content: string | undefined;
  };
}

/** An article, in the app and in the preview of the console. */
export function ArticleText({
  article: { title, author, image_input, synopsis, content, url },
  words,
  classes,
}: ArticleTextProps) {
  return (
    <article className={classes.article}>
      {image_input && <img src={image_input} alt="" className={classes.picture} />}
      <h2>{title}</h2>
      {author && <p className="weak">{words.by}</p>}
      {synopsis && synopsis !== title && <p className={classes.synopsis}>{synopsis}</p>}
      <RichText content={content} className={classes.content} />
      {url && (
        <p>
          <a href={url} target="_blank" rel="noopener noreferrer">
            {words.more}
          </a>
        </p>
      )}
    </article>
  );
}
