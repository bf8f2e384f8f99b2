import { definePage } from "../../page.ts";
import { file, keepFile } from "../../store/files.ts";
import { api, ask } from "../../store/store.ts";
import { texts } from "../../texts/texts.ts";

/** What the store knows about the member, as a file, and the way out. */
definePage(
  {
    title: texts.members.security.title,
    texts: ["members"],
    data: { /** The name of the file that was made. */ file: "" },
  },
  {
    ...file,

    download() {
      return this.act(async () => {
        const known = await ask(() => api.POST("/api/user/export"));
        await keepFile(JSON.stringify(known, null, 2));
        this.setData({ file: "my_data.json" });
      });
    },
  },
);
