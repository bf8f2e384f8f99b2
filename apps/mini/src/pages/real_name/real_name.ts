import type { Api } from "../../../../client/index.ts";
import { definePage, type Entered, type Tap } from "../../page.ts";
import { api, ask } from "../../store/store.ts";
import { fill, texts } from "../../texts/texts.ts";
import { notify } from "../../wechat.ts";

const t = texts.real_names;

type Document = Api["RealNameInput"]["document"];
const documents: readonly Document[] = ["id_card", "passport", "hk_macao_permit", "taiwan_permit"];

/** What the member has given, masked, and how far it is. */
function givenTexts({ state, name, document, number, reason }: Api["OwnRealName"]): string[] {
  if (document === null) return [];
  return [
    fill(t.stored, { name: name!, document: t.documents[document], number: number! }),
    ...(state === "checked" ? [t.checked] : []),
    ...(state === "refused" ? [reason ?? t.refused] : []),
  ];
}

/** Gives the real name that the store needs for a large withdrawal. */
definePage(
  {
    title: t.title,
    texts: ["real_names"],
    data: {
      documents: documents.map((id) => ({ id, name: t.documents[id] })),
      document: documents[0]!,
      given: [] as string[],
      isChecked: false,
    },

    async load() {
      const given = await ask(() => api.GET("/api/real_name"));
      return { given: givenTexts(given), isChecked: given.state === "checked" };
    },
  },
  {
    choose({ currentTarget: { dataset } }: Tap<{ document: Document }>) {
      this.setData({ document: dataset.document });
    },

    save({ detail }: Entered<{ name: string; number: string }>) {
      return this.act(async () => {
        const { name, number } = detail.value;
        const body = { document: this.data.document, name: name.trim(), number: number.trim() };
        await this.write(body, () => api.PUT("/api/real_name", { body }));
        notify(t.saved);
        void wx.navigateBack();
      });
    },
  },
);
