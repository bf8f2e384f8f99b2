import type { Api } from "../../../../client/index.ts";
import { ShareButton } from "../posters/share_button.tsx";

/** Shares the page of an article. */
export function ShareArticle({ article: { id, title, synopsis, image_input } }: { article: Api["Article"] }) {
  return <ShareButton route={`/articles/${id}`} title={title} description={synopsis} picture={image_input} />;
}
