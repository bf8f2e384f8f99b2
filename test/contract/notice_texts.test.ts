import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noticePlace, noticeText, noticeTypes, topicWords } from "../../functions/_shared/notices/notice_texts.ts";
import { noticeTopic, noticeType } from "../../functions/_shared/resources/notices.ts";
import { connect, stack } from "../support/index.ts";

/**
 * Types of events that tell members nothing: two administrators decide about an adjustment, and what they book is a
 * notice; only members themselves cancel a withdrawal; who has left reads nothing.
 */
const untold = ["adjustment.refused", "adjustment.requested", "member.left", "withdrawal.cancelled"];

let sql: ReturnType<typeof connect>;
beforeAll(() => {
  sql = connect(stack().database_url);
});
afterAll(() => sql.end());

const typesOf = async (query: string) => (await sql.unsafe<{ type: string }[]>(query)).map(({ type }) => type);

/** A value for each key that a payload can have. */
const payload = {
  pay_price: "12.30",
  amount: "45.60",
  points: 78.9,
  fee: "1.20",
  brokerage: "-3.40",
  frozen_points: 5,
  available_points: -6,
  level: "Maker",
  level_zh: "创客",
  release_date: "2026-01-04",
};

describe("notices", () => {
  // Guarantee notices/words: Every type of event that concerns members has words in both languages
  // By: app.notice_types, functions/_shared/notices/notice_texts.ts
  it("have words for every type of event, except those that tell members nothing", async () => {
    const told = await typesOf("select type from app.notice_types() order by type");
    expect([...told, ...untold].sort()).toEqual(await typesOf("select type from app.event_types order by type"));
    expect([...noticeType.options].sort()).toEqual(told.sort());
    expect(noticeTypes.toSorted()).toEqual(told.sort());
  });

  it("have a topic that members can choose and that has a name", async () => {
    const [row] = await sql<{ topics: string[] }[]>`select app.notice_topics() as topics`;
    expect([...noticeTopic.options]).toEqual(row!.topics);
    expect(Object.keys(topicWords)).toEqual(row!.topics);
    const used = await sql<{ topic: string }[]>`select distinct topic from app.notice_types()`;
    expect(used.map(({ topic }) => topic).sort()).toEqual([...row!.topics].sort());
  });

  it.each(noticeType.options)("%s is a whole sentence in both languages, with its facts", (type) => {
    for (const [language, script] of [
      ["en", /^[\x20-\x7e¥]+\.$/],
      ["zh", /\p{Script=Han}.*。$/u],
    ] as const) {
      const { title, text } = noticeText({ type, subject_id: 4711, name: null, payload }, language);
      expect(text).toMatch(script);
      expect(title).not.toBe("");
      expect(title + text).not.toMatch(/undefined|NaN|null|\$\{/);
      // Every notice says what it is about.
      expect(text).toMatch(/4711|45\.60|3\.40|78\.9|Maker|创客/);
    }
    expect(noticePlace({ type, subject_id: 4711 })).toMatch(/^\/[a-z]/);
  });

  it("leave out what is nothing", () => {
    const text = noticeText(
      { type: "withdrawal.paid", subject_id: 1, name: null, payload: { amount: "10.00", fee: "0.00" } },
      "en",
    ).text;
    expect(text).toBe("Your withdrawal of ¥10.00 was paid.");
    const refused = (payload: { amount: string; has_reason?: boolean }) =>
      noticeText({ type: "refund.refused", subject_id: 7, name: null, payload }, "en").text;
    expect(refused({ amount: "20.00" })).toBe("The refund request for order 7 was not accepted.");
    expect(refused({ amount: "20.00", has_reason: true })).toBe(
      "The refund request for order 7 was not accepted. The order says why.",
    );
    const partly = (payload: { amount: string }) =>
      noticeText({ type: "refund.partly_refunded", subject_id: 7, name: null, payload }, "en").text;
    expect(partly({ amount: "20.00" })).toBe(
      "A part of what you asked for was granted: ¥20.00 of order 7 are refunded.",
    );
    expect(
      noticeText({ type: "refund.partly_refunded", subject_id: 7, name: null, payload: { amount: "0.00" } }, "en")
        .title,
    ).toBe("Refund request closed");
    expect(partly({ amount: "0.00" })).toBe(
      "What you asked for of order 7 was refunded otherwise, so your request is closed.",
    );
    expect(
      noticeText(
        {
          type: "adjustment.booked",
          subject_id: 1,
          name: null,
          payload: { brokerage: "0.00", frozen_points: 0, available_points: -2.5 },
        },
        "en",
      ).text,
    ).toBe("The store adjusted your balances: available points -2.5.");
  });

  it("have names instead of ids, as the pages of the member do", () => {
    const textOf = (type: "order.shipped" | "member.referred" | "commission.earned", name: string, buyer?: string) =>
      noticeText({ type, subject_id: 7, name, payload: { amount: "1.00", ...(buyer && { buyer }) } }, "zh").text;
    expect(textOf("order.shipped", "20261201000007")).toBe("订单 20261201000007 已发货，请留意查收。");
    expect(textOf("member.referred", "林")).toBe("林 成为你的直推会员。");
    expect(textOf("commission.earned", "20261201000007", "林")).toBe("林 的订单为你带来佣金 ¥1.00。");
    expect(textOf("commission.earned", "20261201000007")).toBe("订单 20261201000007 为你带来佣金 ¥1.00。");
  });
});
