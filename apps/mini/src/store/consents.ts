import type { Api } from "../../../client/index.ts";
import type { PageOf } from "../page.ts";
import { api, ask } from "./store.ts";

type Choices = Api["NoticeChoices"];
type Topic = Choices["templates"][number]["topic"];
type Answers = Record<string, "accept" | "reject" | "ban" | "filter">;

/** The most templates of one question that all clients of WeChat take. */
const mostTemplates = 3;

/** The templates of some topics of which the member has agreed to no further message. */
export async function missingConsents(topics: readonly Topic[]): Promise<string[]> {
  const { templates } = await ask(() => api.GET("/api/notice/choices"));
  const missing = templates.filter(({ topic, consents }) => topics.includes(topic) && consents === 0);
  return [...new Set(missing.map(({ template_id }) => template_id))].slice(0, mostTemplates);
}

/** Handles the button of `parts/consent.wxml`, on pages that have `templates`. */
export const consent = {
  agree(this: PageOf<{ templates: string[] }>) {
    const { templates } = this.data;
    // WeChat asks only directly after a tap, so nothing may be waited for before. If it does not ask, there is nothing
    // to count.
    const answered = wx.requestSubscribeMessage({ tmplIds: templates }).then(
      (result) => result as unknown as Answers,
      (): Answers => ({}),
    );
    return this.act(async () => {
      const result = await answered;
      const answers: Answers = Object.fromEntries(templates.flatMap((id) => (result[id] ? [[id, result[id]]] : [])));
      if (Object.keys(answers).length > 0)
        await this.write({ answers }, (key) => api.POST("/api/notice/consent", { body: { answers }, ...key }));
      this.setData({ templates: [] });
    });
  },
};
