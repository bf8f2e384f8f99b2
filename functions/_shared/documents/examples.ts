/** A schema of an OpenAPI document, as far as an example follows from it. */
export interface Schema {
  $ref?: string;
  example?: unknown;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  type?: string | string[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMaximum?: number;
  minItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

/** Texts by the format of their schema. */
export const FORMAT_EXAMPLES: Record<string, string> = {
  "date-time": "2026-10-01T00:00:00+08:00",
  date: "2026-10-01",
  uuid: "6f1c1c8e-3a5b-4a53-9b54-0d4a3f0c7d21",
};

/** Texts by their pattern. */
const PATTERN_EXAMPLES: Record<string, string> = {
  "^[0-9a-f]{64}$": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  "^[0-9a-f]{128}$": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".repeat(2),
  "^([01]\\d|2[0-3]):[0-5]\\d$": "09:00",
};

/** Texts by the name of their field, where neither declaration, format nor pattern says one. */
const TEXT_EXAMPLES: Record<string, string> = {
  account: "6222 **** 0001",
  account_no: "6222020200000000001",
  actual: "2",
  address: "100 Century Avenue, Pudong, Shanghai",
  agent_level_name: "Service provider",
  amount: "720.00",
  api_version: "1",
  avatar: "https://store.example.com/avatars/1.jpg",
  avatar_origins: "https://thirdwx.qlogo.cn",
  bank: "Bank of China",
  carrier: "SF",
  carrier_name: "SF Express",
  carrier_name_zh: "顺丰速运",
  contact_hours: "9:00 to 18:00",
  contact_phone: "400-000-0000",
  contact_wechat: "store-service",
  content: "<p>What a member should know.</p>",
  currency: "CNY",
  email: "chen@example.com",
  h5_share_url: "https://shop.example.com",
  h5_url: "https://pay.example.com/h5/1",
  holder: "Chen Jing",
  image: "https://store.example.com/pictures/1.jpg",
  image_input: "https://store.example.com/pictures/1.jpg",
  image_url: "https://store.example.com/pictures/1.jpg",
  images: "https://store.example.com/pictures/1.jpg",
  ip: "203.0.113.7",
  level: "Service provider",
  level_zh: "服务商",
  logo: "https://store.example.com/pictures/logo.png",
  migration: "20261120000000",
  name: "Chen Jing",
  name_zh: "服务商",
  nickname: "Chen Jing",
  next_cursor: "2405",
  order_no: "20261001000000000001",
  pay_ref: "4200000000202610010000000001",
  payee_name: "Chen Jing",
  payment_no: "20261001000000000001",
  payment_ref: "4200000000202610010000000001",
  phone: "+8613800000000",
  provider: "wechat",
  referrer_nickname: "Zhao Ming",
  refund_no: "R20261001000000000001",
  region: "Shanghai",
  request_id: FORMAT_EXAMPLES.uuid!,
  schedule_utc: "10 16 * * *",
  share_url: "https://shop.example.com?spread=10001",
  site_name: "Store",
  small_url: "https://store.example.com/pictures/1-small.jpg",
  status: "ok",
  street: "100 Century Avenue",
  time_zone: "Asia/Shanghai",
  timeStamp: "1790784000",
  token_type: "bearer",
  tracking_no: "SF0000000000001",
  tracking_url: "https://www.kuaidi100.com/chaxun?nu=SF0000000000001",
  url: "https://store.example.com/pictures/1.jpg",
  version: "1.0.0",
  withdrawal_no: "W20261001000000000001",
};

/** A text that says nothing, for fields whose content is anything. */
const ANY_TEXT = "Text";

type Components = Record<string, Schema>;

/**
 * A value that a schema accepts, which people read in the document and which collections of requests that are generated
 * from it send.
 * @param name of the field that has the schema, or ""
 * @param components the schemas of the document by name
 * @param within the names of the schemas around this one. A schema within itself is left out
 */
export function exampleOf(schema: Schema, name: string, components: Components, within: string[] = []): unknown {
  const {
    $ref,
    example,
    allOf,
    properties,
    items,
    minimum = 1,
    maximum = Infinity,
    exclusiveMaximum = Infinity,
  } = schema;
  const usual = example ?? schema.default ?? schema.const ?? schema.enum?.[0];
  if (usual !== undefined) return usual;
  if ($ref) {
    const reference = $ref.split("/").at(-1)!;
    return within.includes(reference)
      ? undefined
      : exampleOf(components[reference]!, name, components, [...within, reference]);
  }
  if (allOf) return merged(allOf.map((part) => exampleOf(part, name, components, within)));
  const form = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== "null");
  if (form) return exampleOf(form, name, components, within);
  switch ([schema.type].flat().find((type) => type !== "null")) {
    case "object":
      return Object.fromEntries(
        Object.entries(properties ?? {})
          .map(([key, part]) => [key, exampleOf(part, key, components, within)] as const)
          .filter(([, value]) => value !== undefined),
      );
    case "array": {
      const item = exampleOf(items!, name, components, within);
      return item === undefined ? [] : Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => item);
    }
    case "boolean":
      return true;
    case "integer":
    case "number":
      return Math.min(Math.max(minimum, 1), maximum, exclusiveMaximum / 2);
    case "string":
      return (
        FORMAT_EXAMPLES[schema.format ?? ""] ??
        PATTERN_EXAMPLES[schema.pattern ?? ""] ??
        TEXT_EXAMPLES[name] ??
        ANY_TEXT
      );
    default:
      return null;
  }
}

/** The fields of all parts of an object. */
function merged(parts: unknown[]): unknown {
  return parts.every((part) => typeof part === "object")
    ? (Object.assign({}, ...(parts as object[])) as object)
    : parts[0];
}
