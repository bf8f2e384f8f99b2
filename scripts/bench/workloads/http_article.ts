import { withSql } from "../data/load_data.ts";
import { compareTargets } from "../http/compare_targets.ts";
import { serve } from "../http/functions.ts";
import type { Bench, Workload } from "../workload.ts";

const FEW = 10;

async function createArticles(bench: Bench, count: number): Promise<string> {
  const url = await bench.server.createDatabase();
  await withSql(url, async (sql) => {
    await sql`with category as (insert into app.article_categories (title, is_sign_in_ad) values ('Sign-in', true) returning id)
      insert into app.articles (cid, title, content) select category.id, 'Article ' || i, repeat('Text of an article. ', 10) from category, generate_series(1, ${count}) as i`;
    await sql.unsafe("vacuum analyze");
  });
  return url;
}

export const httpArticle: Workload = {
  name: "http_article",
  title: "The random article of the sign-in gate, over HTTP",
  async run(bench) {
    const many = bench.size.members.at(-1) ?? FEW;
    const urls = [await createArticles(bench, FEW), await createArticles(bench, many)] as const;
    const [ofFew, ofMany] = [await serve("api", urls[0]), await serve("api", urls[1])];
    const target = (base: string) => ({ base, requests: [{ path: "/api/sign/required_article" }] });
    try {
      return await compareTargets(bench, { name: `of ${FEW}`, ...target(ofFew.base) }, [
        { name: `of ${many} beside ${FEW}`, aim: 1 / 1.2, ...target(ofMany.base) },
      ]);
    } finally {
      await ofFew.stop();
      await ofMany.stop();
      await bench.server.dropDatabases([...urls]);
    }
  },
};
