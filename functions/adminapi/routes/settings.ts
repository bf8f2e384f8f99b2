import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { address } from "../../_shared/resources/addresses.ts";
import { DECLARED_SETTINGS } from "../../_shared/resources/declared_settings.ts";
import type { DeclaredSetting, SettingName } from "../../_shared/resources/setting.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import {
  day,
  flag,
  money,
  moneyText,
  orNull,
  text,
  time,
  visibleText,
  webAddress,
} from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const fieldsOf = (schemaOf: (setting: DeclaredSetting) => z.ZodType): Record<string, z.ZodType> =>
  Object.fromEntries(DECLARED_SETTINGS.map((setting) => [setting.name, schemaOf(setting)]));

/** Examples, by kind. */
const EXAMPLES: Partial<Record<DeclaredSetting["kind"], unknown>> = {
  zone: "Asia/Shanghai",
  colour: "#c8102e",
  origins: ["https://thirdwx.qlogo.cn"],
  minutes: [1, 5, 10],
};

/** A field with what its setting does. @param more further paragraphs */
function described(
  schema: z.ZodType,
  { title, title_zh, hint, hint_zh, kind }: DeclaredSetting,
  more: (string | undefined)[],
) {
  const description = [bilingual(`${title}. ${hint}`, `${title_zh}：${hint_zh}`), ...more].filter(Boolean).join("\n\n");
  return schema.openapi({ description, ...(kind in EXAMPLES && { example: EXAMPLES[kind] }) });
}

const choiceOf = ({ choices }: DeclaredSetting) => z.enum(choices as [string, ...string[]]);

/** What a setting is in responses. */
function shown(setting: DeclaredSetting): z.ZodType {
  const kinds: Partial<Record<DeclaredSetting["kind"], z.ZodType>> = {
    integer: z.int(),
    number: z.number(),
    percent: z.number(),
    amount: money,
    switch: z.boolean(),
    day,
    postal: address,
    minutes: z.array(z.int()),
    origins: z.array(z.string()),
    words: z.array(z.string()),
    ...(setting.choices && { choice: choiceOf(setting), choices: z.array(choiceOf(setting)) }),
  };
  const schema = kinds[setting.kind] ?? z.string();
  if (!setting.removable) return schema;
  return setting.kind === "postal" ? orNull(schema) : schema.nullable();
}

/** What a change of a setting takes. The database checks the rest, such as the decimals of a number. */
function given(setting: DeclaredSetting): z.ZodType {
  const { kind, minimum = 0, maximum = 0, longest = 0, choices = [] } = setting;
  const nothing = (schema: z.ZodType, none: z.ZodType = z.literal("")) =>
    setting.removable ? z.union([schema, none]) : schema;
  switch (kind) {
    case "integer":
      return z.int().min(minimum).max(maximum);
    case "number":
    case "percent":
      return z.number().min(minimum).max(maximum);
    case "amount":
      return moneyText.openapi({ "x-minimum": minimum.toFixed(2), "x-maximum": maximum.toFixed(2) });
    case "switch":
      return flag;
    case "choice":
      return choiceOf(setting);
    case "choices":
      return z.array(choiceOf(setting)).max(choices.length);
    case "minutes":
      return z.array(z.int().min(minimum).max(maximum)).max(longest);
    case "origins":
      return z.array(text(1, 200)).max(longest);
    case "words":
      return z.array(visibleText(50)).max(longest);
    case "postal":
      return nothing(address, z.strictObject({}));
    case "line":
      return nothing(visibleText(longest));
    case "zone":
      return text(1, longest);
    case "web_address":
    case "share_address":
      return nothing(webAddress(longest));
    case "phone":
      return nothing(address.shape.phone);
    case "day":
      return nothing(day);
    case "colour":
      return z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Expected a colour such as "#c8102e".');
  }
}

/** What removes a setting that can be removed. */
function removes({ kind }: DeclaredSetting): string {
  if (kind === "amount") return bilingual("0 removes it.", "发送 0 即移除。");
  if (kind === "postal") return bilingual("An empty object removes it.", "空对象表示移除。");
  return bilingual("An empty text removes it.", "发送空文本即移除。");
}

const shownField = (setting: DeclaredSetting) =>
  described(shown(setting), setting, [setting.removable && bilingual("Null: none.", "null 表示未设置。")]);

const DECIMALS: Record<number, string> = {
  2: bilingual("At most two decimals.", "最多两位小数。"),
  4: bilingual("At most four decimals.", "最多四位小数。"),
  5: bilingual("At most five decimals.", "最多五位小数。"),
};

const givenField = (setting: DeclaredSetting) => {
  const { kind, decimals = 0, removable } = setting;
  const isNumber = kind === "number" || kind === "percent";
  return described(given(setting), setting, [isNumber ? DECIMALS[decimals] : undefined, removable && removes(setting)]);
};

const shownFields = fieldsOf(shownField);

const settings = z.strictObject({ ...shownFields, updated_at: time }).openapi("Settings");

const settingsHistory = z
  .strictObject({
    presets: z
      .strictObject(shownFields)
      .openapi({ description: bilingual("The settings of a new store.", "新商城的设置。") }),
    changes: z.record(z.string(), z.strictObject({ at: time, by: actor })).openapi({
      description: bilingual(
        "When, and by whom, each setting was changed last, by its name. Settings that nobody has changed are absent.",
        "每项设置最近一次修改的时间与修改人，以名称为键；从未修改的设置没有此项。",
      ),
    }),
  })
  .openapi("SettingsHistory");

export const settingsRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/system/settings",
    auth: "admin",
    tag: "System",
    summary: bilingual("The settings of the store", "商城设置"),
    response: settings,
    calls: "get_settings",
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/system/settings/history",
    auth: "admin",
    tag: "System",
    summary: bilingual(
      "The settings of a new store, and who changed each setting last",
      "新商城的默认设置，以及每项设置最近由谁修改",
    ),
    response: settingsHistory,
    calls: "get_settings_history",
    standby: true,
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/system/settings",
    auth: "admin",
    tag: "System",
    summary: bilingual("Change the given settings of the store", "修改指定的商城设置"),
    request: {
      body: z
        // The fields are the arguments of the same names. The compiler knows the names only.
        .strictObject(
          fieldsOf((setting) => givenField(setting).optional()) as Record<SettingName, z.ZodOptional<z.ZodUndefined>>,
        )
        .refine((body) => Object.keys(body).length > 0, "Send at least one setting."),
    },
    response: settings,
    errors: ["recent_sign_in_needed"],
    calls: "set_settings",
  }),
] as const;
