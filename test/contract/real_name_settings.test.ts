import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readRealNames } from "../../functions/_shared/secrets/real_names.ts";
import { openRealNameProvider } from "../../functions/worker/real_name_provider.ts";

const environment = (values: Record<string, string>) => new Map(Object.entries(values));
const newKey = () => randomBytes(32).toString("hex");
const [key, indexKey] = [newKey(), newKey()];

describe("the keys of real names", () => {
  it("are needed by those who use them only", () => {
    expect(readRealNames(environment({}))).toBeUndefined();
  });

  it.each([
    ["one of them", { STORE_REAL_NAME_KEY: key }, "Set both STORE_REAL_NAME_KEY and STORE_REAL_NAME_INDEX_KEY."],
    [
      "the other",
      { STORE_REAL_NAME_INDEX_KEY: indexKey },
      "Set both STORE_REAL_NAME_KEY and STORE_REAL_NAME_INDEX_KEY.",
    ],
    ["one for both", { STORE_REAL_NAME_KEY: key, STORE_REAL_NAME_INDEX_KEY: key }, "must be two different keys"],
    [
      "a short one",
      { STORE_REAL_NAME_KEY: key.slice(2), STORE_REAL_NAME_INDEX_KEY: indexKey },
      "STORE_REAL_NAME_KEY must have 64",
    ],
    [
      "a former one of another form",
      { STORE_REAL_NAME_KEY: key, STORE_REAL_NAME_INDEX_KEY: indexKey, STORE_REAL_NAME_FORMER_KEY: "former" },
      "STORE_REAL_NAME_FORMER_KEY must have 64",
    ],
  ])("are refused as %s, and the variables are named", (_what, values, message) => {
    expect(() => readRealNames(environment(values))).toThrow(message);
  });
});

describe("the provider who checks real names", () => {
  const open = (url: string) =>
    openRealNameProvider(environment({ STORE_REAL_NAME_CHECK_URL: url, STORE_REAL_NAME_CHECK_TOKEN: "t" }));

  it.each(["https://relay.example.com/check", "http://127.0.0.1:9000/check"])("is asked at %s", (url) => {
    expect(() => open(url)).not.toThrow();
  });
  it.each([
    "http://relay.example.com/check",
    "http://127.0.0.1.example.com/",
    "relay.example.com",
    "ftp://relay.example.com",
  ])("is sent no name over an open connection: %s", (url) => {
    expect(() => open(url)).toThrow("STORE_REAL_NAME_CHECK_URL must begin with https://");
  });
});
