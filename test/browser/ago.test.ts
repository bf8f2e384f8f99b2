import { expect, it } from "vitest";
import { agoInWords } from "../../apps/console/src/components/ago_in_words.ts";

const minute = 60_000;
const hour = 60 * minute;

it.each([
  [0, "now", "现在"],
  [minute - 1, "now", "现在"],
  [minute, "1 minute ago", "1分钟前"],
  [12.5 * minute, "12 minutes ago", "12分钟前"],
  [hour - 1, "59 minutes ago", "59分钟前"],
  [hour, "1 hour ago", "1小时前"],
  [24 * hour - 1, "23 hours ago", "23小时前"],
  // The clock of the store is a little ahead.
  [-minute, "now", "现在"],
])("%d ms ago is said in words", (passed, english, chinese) => {
  expect([agoInWords(passed, "en-GB"), agoInWords(passed, "zh-CN")]).toEqual([english, chinese]);
});

it.each([24 * hour, -hour])("%d ms ago has no words: the time is shown", (passed) => {
  expect(agoInWords(passed, "en-GB")).toBeUndefined();
});
