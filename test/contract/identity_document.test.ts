import { describe, expect, it } from "vitest";
import {
  DOCUMENTS,
  type DocumentType,
  maskedName,
  maskedNumber,
  normalRealName,
  problemOfRealName,
} from "../../functions/_shared/secrets/identity_document.ts";

// The check digits were computed by hand with the recursive method of ISO 7064 (p = (p + digit) x 2 mod 11); the
// program sums weights.

const TODAY = new Date("2026-11-26T00:00:00Z");
const field = (document: DocumentType, number: string, name = "张三") =>
  problemOfRealName({ name, document, number }, TODAY)?.field;

/** What is written, and how it is compared. */
const VALID: Record<DocumentType, Record<string, string>> = {
  id_card: {
    "11010519491231002X": "11010519491231002X",
    "11010519491231002x": "11010519491231002X",
    "１１０１０５１９４９１２３１００２Ｘ": "11010519491231002X",
    "110101 19900307 0011": "110101199003070011",
    "310101200002291237": "310101200002291237",
    "320106197708259916": "320106197708259916",
    "110101190001010014": "110101190001010014",
    // A residence permit of a resident of Hong Kong.
    "810000199001010019": "810000199001010019",
  },
  passport: {
    e12345678: "E12345678",
    EA1234567: "EA1234567",
    "G-1234 5678": "G12345678",
    L898902C3: "L898902C3",
    "12345": "12345",
  },
  hk_macao_permit: {
    h12345678: "H12345678",
    M12345678: "M12345678",
    H1234567801: "H12345678",
    H1234567802: "H12345678",
  },
  taiwan_permit: { "12345678": "12345678" },
};

const INVALID: Record<DocumentType, string[]> = {
  id_card: [
    "110105194912310020",
    "110105194912310021",
    // Two digits that have changed places.
    "11010519491213002X",
    "101105194912310021",
    "11010519491231002",
    "11010519491231002XX",
    // The day of birth is none, is to come, or was in another century.
    "110101199002300014",
    "110101200102290015",
    "110101209912310015",
    "440524188001010014",
    "010105194912310021",
    // Of 1985, with 15 digits.
    "110105491231002",
    "",
  ],
  passport: ["E123", "E123456789", "ABCDEFGH", "E1234567é", "张12345678"],
  hk_macao_permit: ["A12345678", "H1234567", "H123456789", "H12345678AB", "H12345678张三", "H123456780123", "12345678"],
  taiwan_permit: ["1234567", "123456789", "T12345678"],
};

describe.each(DOCUMENTS)("the number of a document of type %s", (document) => {
  it.each(Object.entries(VALID[document]))("has the form of one: %s, compared as %s", (number, normal) => {
    expect(field(document, number)).toBeUndefined();
    expect(normalRealName({ name: "张三", document, number }).number).toBe(normal);
  });
  it.each(INVALID[document])("has not the form of one: %s", (number) => {
    expect(field(document, number)).toBe("number");
  });
});

describe("a number of an identity card", () => {
  it("has one check digit, and no other digit in any one place", () => {
    const number = "11010519491231002X";
    for (let place = 0; place < number.length; place += 1)
      for (const digit of "0123456789X") {
        const other = number.slice(0, place) + digit + number.slice(place + 1);
        if (other !== number) expect(field("id_card", other), other).toBe("number");
      }
  });

  it("may be that of somebody who is born today, and not tomorrow", () => {
    expect(field("id_card", "110101202611260016")).toBeUndefined();
    expect(field("id_card", "110101202611270011")).toBe("number");
  });
});

describe("a name", () => {
  it.each(["张三", "Chen Jing", "买买提·吐尔逊", " 张三 ", "O'Neil"])("has at least two letters: %s", (name) => {
    expect(field("passport", "E12345678", name)).toBeUndefined();
  });
  it.each(["张", "  ", "12", "**", "张1"])("is not %s", (name) => {
    expect(field("passport", "E12345678", name)).toBe("name");
  });
});

it("masks leave the ends, of a character outside the basic plane, too", () => {
  expect([
    maskedName("张三丰"),
    maskedName("𠮷野家"),
    maskedNumber("11010519491231002X"),
    maskedNumber("12345"),
  ]).toEqual(["张**", "𠮷**", "1****************X", "1***5"]);
});
