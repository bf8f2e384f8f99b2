import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findings } from "../../apps/console/src/i18n/zh/findings.ts";
import { storeReasons } from "../../apps/console/src/i18n/zh/store_reasons.ts";
import { CHINESE, inChinese } from "../../functions/_shared/responses/chinese.ts";
import { translator } from "../../functions/_shared/words/translator.ts";
import { files, routine, routines, table as statementOf } from "../../scripts/structure/sql_source.ts";

const root = join(import.meta.dirname, "../..");

function sources(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending) && !path.endsWith("chinese.ts"))
    .map((path) => readFileSync(join(root, folder, path), "utf8"));
}

const sqlFunctions = files.flatMap(({ text }) => routines(text)).map(({ statement }) => statement);
const functions = sources("functions", ".ts");

/** The string literals of a source, without comments. Concatenated values become `%s`. */
function literals(source: string): string[] {
  const code = source
    .replaceAll(/^\s*--.*$/gm, "")
    .replaceAll(/^comment on [^;]*? is\b[\s\S]*?';$/gm, "")
    .replaceAll(/' \|\| (?:replace\(.*?\) \|\| '|string_agg\()/g, (joined) => (joined.endsWith("'") ? "%s" : "%s'"));
  return [...code.matchAll(/'((?:[^']|'')*)'/g)].map(([, text]) => text!.replaceAll("''", "'").replaceAll("%%", "%"));
}

/**
 * The error sentences of functions that call app.fail, and of app.setting_problem, which says what another one raises.
 * They end with a full stop.
 */
const sentencesInSql = [
  ...sqlFunctions.filter((source) => source.includes("app.fail(")),
  routine("app.setting_problem").statement,
  ...sources("scripts/scale/shards", ".sql"),
]
  .flatMap(literals)
  .filter((text) => / .*\.$/.test(text));

/** The constraints on the columns that people write, of tables that have others. */
const written: Record<string, string[]> = {
  users: ["nickname is a short text", "avatar is an address"],
};

/** The constraints of tables that people write. Error details contain their names. */
const constraints = [
  ...Object.keys(written),
  "commission_plans",
  "agent_levels",
  "agent_level_tasks",
  "products",
  "product_categories",
  "banners",
  "articles",
  "article_categories",
  "carriers",
  "parcels",
].flatMap((table) => {
  return [...statementOf(table).matchAll(/constraint (\w+) check/g)]
    .map(([, name]) => name!.replaceAll("_", " "))
    .filter((phrase) => written[table]?.includes(phrase) ?? true);
});

/** The texts of the configuration check: literals of several words, except data that its test orders write. */
const found = [
  "verify_levels",
  "verify_plan",
  "depth_words",
  "verify_schedule",
  "verify_runs",
  "verify_manifest",
  "verify_months",
  "verify_clock",
  "verify_money",
  "verify_addresses",
  "verify_function_settings",
  "verify_real_names",
  "verify_end_to_end",
  "run_test_cycle",
]
  .flatMap((name) => literals(routine(`app.${name}`).statement))
  .filter(
    (text) =>
      / /.test(text) &&
      ![
        "Configuration check",
        "%s: %s",
        "uid %s",
        ", ",
        "%s %s",
        " to (\\S+)$",
        " from \\1",
        "no row-level security%",
        "%(switched off)",
      ].includes(text),
  );

describe("the Chinese translations of error details", () => {
  it("exist for every sentence of the database", () => {
    expect(sentencesInSql.length).toBeGreaterThan(70);
    expect(sentencesInSql.filter((sentence) => !CHINESE.has(sentence))).toEqual([]);
  });

  it("exist for every constraint of a table that administrators write", () => {
    expect(constraints.length).toBeGreaterThan(15);
    expect(constraints.filter((phrase) => !CHINESE.has(phrase))).toEqual([]);
  });

  it("contain no unused sentence", () => {
    const text = [...files.map((file) => file.text), ...functions].join("\n");
    const isUsed = (english: string) =>
      sentencesInSql.includes(english) ||
      constraints.includes(english) ||
      text.includes(JSON.stringify(english)) ||
      text.includes(`'${english}'`);
    expect([...CHINESE.keys()].filter((english) => !isUsed(english))).toEqual([]);
  });

  it("contain the values of the English texts, and translate the values, too", () => {
    expect(inChinese("Product 12 is not on sale.")).toBe("商品 12 已下架。");
    expect(inChinese("The plan violates this rule: there is one ratio per person.")).toBe(
      "方案不符合要求：每个人对应一个比例。",
    );
    expect(inChinese("A sentence of somebody else's.")).toBe("A sentence of somebody else's.");
    for (const [english, chinese] of CHINESE)
      expect(chinese.split("%s").length, english).toBe(english.split("%s").length);
  });
});

describe("the Chinese translations of the configuration check", () => {
  it("exist for all its texts", () => {
    expect(found.length).toBeGreaterThan(35);
    expect(found.filter((words) => !findings.has(words))).toEqual([]);
  });

  it("have the same placeholders as the English texts", () => {
    const translate = translator(findings);
    expect(translate("expected 4 orders 4 members, got nothing")).toBe("应为4 个订单 4 名会员，实为无");
    expect(translate("at most 500.00 of 1000.00 per unit (50 %)")).toBe("每件最多 500.00，单价 1000.00（50 %）");
    expect(translate("3600.00")).toBe("3600.00");
  });
});

describe("the Chinese translations of the reasons that the store writes", () => {
  const written = ["reason_of_forfeit", "forfeit_returned", "record_forfeits", "forgotten_text"].map(
    (name) => routine(`app.${name}`).statement,
  );
  const leavers = readdirSync(join(root, "supabase/migrations")).filter((name) => name.endsWith("earlier_leavers.sql"));

  it("exist for all of them, and for no other text", () => {
    const update = leavers.flatMap((name) => [
      ...sources("supabase/migrations", name)[0]!.matchAll(/forfeit_balances\(v_uid, '([^']+)'/g),
    ]);
    const reasons = [
      ...written.flatMap(literals).filter((text) => /^[A-Z].* /.test(text)),
      ...update.map(([, reason]) => reason!),
    ];
    expect(reasons.sort()).toEqual([...storeReasons.keys()].sort());
  });
});
